"""The manifest: the list of watched sources, in JSON or YAML.

``reader`` turns a file into a manifest or into faults with their places. It uses, in this order:
``answer`` (which part of the file is the manifest), ``json_text`` and ``yaml_text`` (values with
their lines, in a ``tree``), ``schema`` (the JSON Schema) and ``rules`` (what a schema cannot say).
``model`` has the manifest itself, ``patterns`` its globs. ``comparison`` compares two manifests,
``activation`` and ``robots_check`` decide which one is in force, and ``prompt`` asks a language
model for one.
"""
