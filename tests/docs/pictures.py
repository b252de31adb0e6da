"""Draws README's pictures anew from the portfolio sample: `python -m tests.docs.pictures`; needs LibreOffice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pypdfium2

from worker.cli import main

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "goldens" / "readme"
WIDE_PX, COLORS = 1100, 128
"""The width of a picture; and few colours, so that its file stays small."""


def draw(pdf: Path, page: int, target: Path) -> None:
    """Write page number `page` (0-based) of `pdf` as a PNG."""
    document = pypdfium2.PdfDocument(pdf)
    picture = document[page].render(scale=WIDE_PX / document[page].get_width()).to_pil()
    picture.convert("RGB").quantize(COLORS).save(target, optimize=True)
    document.close()


def make_pictures() -> None:
    """Process the sample in a folder of its own, and draw a slide and a page of what came out."""
    with tempfile.TemporaryDirectory() as home:
        shutil.copy(ROOT / "tests" / "samples" / "portfolio.xlsx", home)
        os.chdir(home)
        if main(["process", "portfolio.xlsx", "--approve", "yes", "--out", "results"]):
            sys.exit("the sample could not be processed")
        profile = f"-env:UserInstallation=file://{home}/profile"
        command = ["soffice", "--headless", profile, "--convert-to", "pdf", "--outdir", home, "results/deck.pptx"]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        FOLDER.mkdir(parents=True, exist_ok=True)
        draw(Path(home) / "deck.pdf", 1, FOLDER / "slide.png")
        draw(Path(home) / "results" / "memo.pdf", 3, FOLDER / "page.png")


if __name__ == "__main__":
    make_pictures()
