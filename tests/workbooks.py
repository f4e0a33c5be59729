"""A workbook as spreadsheets write it."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

_SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def workbook(path: Path, *sheets: Sequence[Sequence[object]]) -> Path:
    """A workbook as spreadsheets write it: an archive of small documents."""

    def cell(value: object) -> str:
        if value is None:
            return "<c/>"
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        return f"<c><v>{value}</v></c>"

    names = range(1, len(sheets) + 1)
    with zipfile.ZipFile(path, "w") as archive:
        kinds = "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="application/vnd.openxmlformats-'
            'officedocument.spreadsheetml.worksheet+xml"/>'
            for n in names
        )
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType="application/'
            'vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
            'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
            + kinds
            + "</Types>",
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r0" '
            f'Type="{_DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_SPACE}" xmlns:r="{_DOCUMENT}"><sheets>'
            + "".join(f'<sheet name="s{n}" sheetId="{n}" r:id="r{n}"/>' for n in names)
            + "</sheets></workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships">'
            + "".join(
                f'<Relationship Id="r{n}" Type="{_DOCUMENT}/worksheet" Target="worksheets/sheet{n}.xml"/>'
                for n in names
            )
            + "</Relationships>",
        )
        for n, rows in zip(names, sheets, strict=True):
            lines = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
            archive.writestr(
                f"xl/worksheets/sheet{n}.xml",
                f'<worksheet xmlns="{_SPACE}"><sheetData>{lines}</sheetData></worksheet>',
            )
    return path
