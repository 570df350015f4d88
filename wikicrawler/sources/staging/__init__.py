"""The staging folder: where envelopes are written, and where consumers read them.

``protocol`` is what it has to do, ``folder`` does it on a local file system and ``bucket`` in S3;
``location`` chooses one by the settings. ``stager`` decides what is staged, ``announcer`` tells
consumers by a ``webhook``, and ``verification`` checks the whole.
"""
