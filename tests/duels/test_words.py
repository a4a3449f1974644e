"""One definition of a word, the same in the server and in the browser."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from rules.words import count_words

EXAMPLES = json.loads((Path(__file__).parent.parent / "words_examples.json").read_text())
SCRIPT = settings.BASE_DIR / "static" / "js" / "words.js"
NODE = shutil.which("node")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["why"])
def test_the_server_counts_words(example):
    assert count_words(example["text"]) == example["words"]


@pytest.mark.parametrize("sign", ["[", "[](", "![", "[a](b", "<a", "> ", "a'"])
def test_counting_takes_no_longer_than_reading(sign):
    """Signs that open and never close are read once: looking for the end of each would take hours here."""
    signs = sign * 500_000
    assert count_words(f"{signs}\nmot") == count_words(signs) + 1


@pytest.mark.skipif(NODE is None, reason="no node here; a browser counts them below")
def test_node_counts_the_same_words():
    texts = json.dumps([example["text"] for example in EXAMPLES])
    script = f"require({json.dumps(str(SCRIPT))}); process.stdout.write(JSON.stringify({texts}.map(countWords)));"
    ran = subprocess.run([NODE, "-e", script], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(ran.stdout) == [example["words"] for example in EXAMPLES]


@pytest.mark.browser
def test_a_browser_counts_the_same_words(browser):
    page = browser.new_page()
    page.add_script_tag(path=SCRIPT)
    counted = page.evaluate("texts => texts.map(countWords)", [example["text"] for example in EXAMPLES])
    page.close()
    assert counted == [example["words"] for example in EXAMPLES]
