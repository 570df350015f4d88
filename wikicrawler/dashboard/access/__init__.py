"""Who may use the dashboard, and from where."""
