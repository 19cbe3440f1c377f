"""The Python examples of the package's README and of docs/clients.md run, in order, and print what the
pages say they print.
"""

import re
from pathlib import Path

import pytest
from crossrate import Crossrate

ROOT = Path(__file__).parents[3]
PAGES = ["clients/python/README.md", "docs/clients.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page, servers, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    blocks = BLOCK.findall((ROOT / page).read_text("utf-8"))
    assert len(blocks) > 0
    for block in blocks:
        code = block.replace("http://localhost:3000", address_of(block, servers)).replace(
            "fxk_…", servers.key
        )
        exec(compile(code, page, "exec"), names)
    for value in names.values():
        if isinstance(value, Crossrate):
            value.close()
    assert capsys.readouterr().out.count("\n") >= len(blocks)


def address_of(block, servers):
    """Only one of the servers has live rates that change."""
    return servers.stream_url if "stream(" in block else servers.url
