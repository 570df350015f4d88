"""When a watched source is due: arithmetic on times that the caller passes.

Nothing here does I/O or reads a clock. All moments are aware datetimes in UTC.

``rule`` is what a manifest says about the frequency of a source, ``timing`` what the operator says
about hours and time zones, and ``state`` what is known of the visits. ``due`` combines the three.
It uses ``windows`` (days, weeks and months), ``cron``, ``adaptive``, ``spread`` (which moment of a
window) and ``zones`` (local times that exist twice or not at all). ``visits`` changes a state after
a visit, ``retry`` says what to do after an error within a visit, and ``order`` which of several due
sources is visited first. ``defaults`` has the frequency of a source that names none.
"""
