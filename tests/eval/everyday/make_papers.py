"""Makes papers in the formats that people have them in, out of texts that git keeps: `bill.pdf.txt` becomes `bill.pdf`.

    make_papers(sources, target)     every file below sources, in the same folders below target; others are copied

In the texts "# " and "## " begin headings, an empty line ends a paragraph, and every other line is one of its own. `.pdf.txt`: columns are apart by
several spaces. `.docx.txt`, `.odt.txt`: "| a | b |" is a row of a table. `.xlsx.csv`: one sheet. Nothing but Python is needed.
"""
import csv
import pathlib
import re
import shutil
import zipfile
from xml.sax.saxutils import escape


def blocks(text: str) -> list[tuple[str, object]]:
    """("h1", text), ("h2", text), ("p", text) and ("table", rows of cells)."""
    found: list[tuple[str, object]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("|"):
            row = [cell.strip() for cell in line.strip("|").split("|")]
            if found and found[-1][0] == "table":
                found[-1][1].append(row)
            else:
                found.append(("table", [row]))
        elif mark := re.match(r"(##?) ", line):
            found.append((f"h{len(mark[1])}", line[mark.end():]))
        else:
            found.append(("p", line))
    return found


# --- PDF -------------------------------------------------------------------------------------------------------------

def wrapped(line: str, width: int = 88) -> list[str]:
    lines, rest = [], line
    while len(rest) > width:
        cut = rest.rfind(" ", 0, width)
        lines.append(rest[:cut])
        rest = rest[cut + 1:]
    return [*lines, rest]


def shown(text: str, font: str, size: int, x: int, y: int) -> str:
    letters = re.sub(r"([\\()])", r"\\\1", text)
    return f"BT /{font} {size} Tf {x} {y} Td ({letters}) Tj ET\n"


def drawn(text: str) -> list[str]:
    """What is drawn on each page of A4."""
    pages, y = [""], 800
    for line in text.splitlines():
        heading = re.match(r"(##?) ", line)
        font, size = (("B", 15) if heading[1] == "#" else ("B", 12)) if heading else ("R", 10)
        for one in wrapped(line[heading.end():] if heading else line):
            if y < 60:
                pages.append("")
                y = 800
            for place, cell in enumerate(re.split(r" {2,}", one.strip())):
                pages[-1] += shown(cell, font, size, 60 + 230 * place, y)
            y -= size + 5
    return pages


def pdf(text: str) -> bytes:
    pages = drawn(text)
    objects = ["<< /Type /Catalog /Pages 2 0 R >>",
               f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{5 + 2 * n} 0 R' for n in range(len(pages)))}] >>",
               *(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
                 for name in ("Helvetica", "Helvetica-Bold"))]
    for number, page in enumerate(pages):
        objects.append("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /R 3 0 R /B 4 0 R >> >> "
                       f"/Contents {6 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(page.encode('cp1252'))} >>\nstream\n{page}endstream")
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return data + (f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer << /Size {len(objects) + 1} /Root 1 0 R >>\n"
                   f"startxref\n{len(data)}\n%%EOF\n").encode()


# --- Files of office programs ----------------------------------------------------------------------------------------

def zipped(target: pathlib.Path, parts: dict[str, str]) -> None:
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content)


CONTENT_TYPES = ('<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                 '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                 '<Default Extension="xml" ContentType="application/xml"/>{}</Types>')
RELATIONS = ('<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}'
             "</Relationships>")
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def relation(target: str, kind: str) -> str:
    return RELATIONS.format(f'<Relationship Id="rId1" Type="{OFFICE}/{kind}" Target="{target}"/>')


def override(part: str, kind: str) -> str:
    return f'<Override PartName="/{part}" ContentType="application/vnd.openxmlformats-officedocument.{kind}+xml"/>'


def docx(text: str, target: pathlib.Path) -> None:
    def paragraph(words: str, style: str = "") -> str:
        properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
        return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{escape(words)}</w:t></w:r></w:p>'

    def table(rows: list[list[str]]) -> str:
        return "<w:tbl>" + "".join(
            "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>" for row in rows) + "</w:tbl>"

    styles = {"h1": "Heading1", "h2": "Heading2", "p": ""}
    body = "".join(table(what) if kind == "table" else paragraph(what, styles[kind]) for kind, what in blocks(text))
    zipped(target, {
        "[Content_Types].xml": CONTENT_TYPES.format(override("word/document.xml", "wordprocessingml.document.main")),
        "_rels/.rels": relation("word/document.xml", "officeDocument"),
        "word/document.xml": '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/'
                             f'2006/main"><w:body>{body}</w:body></w:document>'})


def odt(text: str, target: pathlib.Path) -> None:
    def block(kind: str, what) -> str:
        if kind == "table":
            return '<table:table table:name="t">' + "".join(
                "<table:table-row>" + "".join(f"<table:table-cell><text:p>{escape(cell)}</text:p></table:table-cell>"
                                              for cell in row) + "</table:table-row>" for row in what) + "</table:table>"
        if kind == "p":
            return f"<text:p>{escape(what)}</text:p>"
        return f'<text:h text:outline-level="{kind[1]}">{escape(what)}</text:h>'

    names = " ".join(f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"' for short in ("office", "text", "table"))
    body = "".join(block(kind, what) for kind, what in blocks(text))
    zipped(target, {"mimetype": "application/vnd.oasis.opendocument.text",
                    "content.xml": f'<?xml version="1.0"?><office:document-content {names} office:version="1.2"><office:body>'
                                   f"<office:text>{body}</office:text></office:body></office:document-content>"})


def xlsx(text: str, target: pathlib.Path) -> None:
    def cell(place: str, what: str) -> str:
        if re.fullmatch(r"-?\d+(\.\d+)?", what):
            return f'<c r="{place}"><v>{what}</v></c>'
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(what)}</t></is></c>' if what else ""

    def row(number: int, cells: list[str]) -> str:
        made = "".join(cell(f"{chr(ord('A') + column)}{number}", what) for column, what in enumerate(cells))
        return f'<row r="{number}">{made}</row>'

    rows = "".join(row(number, cells) for number, cells in enumerate(csv.reader(text.splitlines()), 1))
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    zipped(target, {
        "[Content_Types].xml": CONTENT_TYPES.format(override("xl/workbook.xml", "spreadsheetml.sheet.main") +
                                                    override("xl/worksheets/sheet1.xml", "spreadsheetml.worksheet")),
        "_rels/.rels": relation("xl/workbook.xml", "officeDocument"),
        "xl/workbook.xml": f'<?xml version="1.0"?><workbook {main} xmlns:r="{OFFICE}"><sheets>'
                           '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relation("worksheets/sheet1.xml", "worksheet"),
        "xl/worksheets/sheet1.xml": f'<?xml version="1.0"?><worksheet {main}><sheetData>{rows}</sheetData></worksheet>'})


def make_papers(sources: pathlib.Path, target: pathlib.Path) -> None:
    makers = {".pdf.txt": lambda text, path: path.write_bytes(pdf(text)), ".docx.txt": docx, ".odt.txt": odt, ".xlsx.csv": xlsx}
    for source in sorted(path for path in sources.rglob("*") if path.is_file()):
        made = target / source.relative_to(sources)
        made.parent.mkdir(parents=True, exist_ok=True)
        maker = makers.get("".join(source.suffixes[-2:]))
        if maker:
            maker(source.read_text(encoding="utf-8"), made.with_suffix(""))
        else:
            shutil.copyfile(source, made)
