"""libyaml, which is quick, reads the YAML files of the package as the strict reader does."""

from __future__ import annotations

from importlib.resources import files

import pytest
import yaml

from wikicrawler.text.yaml import Problems, compose

SHIPPED = ("data/sources.yml", "scope/engines.yml", "tiers/verdict/rules.yml")


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML has no libyaml: one reader")
@pytest.mark.parametrize("name", SHIPPED)
def test_both_readers_find_the_same(name: str) -> None:
    data = files("wikicrawler").joinpath(name).read_bytes()
    strict, quick = Problems(name), Problems(name, tested=True)
    read = [compose(data, problems) for problems in (strict, quick)]
    values = [value and (value.line, value.plain()) for value in read]
    assert values[0] == values[1]
    assert values[0]
    assert strict.found == quick.found == []
