"""A client of servers with OpenAI's API for chats, over any transport."""
