"""Planned charts as chart XML: explicit about everything that a renderer would otherwise guess.

Bars, lines on the same or on their own axis, and scatters, in one piece: python-pptx has no combined charts. Every
series points at the embedded workbook, so that "Edit Data" works. Missing values are gaps. Axis ids are small and
positive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from schemas.deck import ChartBlock, ChartSeries
from schemas.workbook import column_letters
from tools.deck.markup import attribute, outline, solid, text
from tools.deck.plots import code_for

NAMESPACES = (
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
SHEET = "Data"
_CATEGORIES, _VALUES, _CATEGORIES_2, _VALUES_2 = 1001, 1002, 1003, 1004
_ZERO_AT, _ALL_AT = 0.62, 0.95
"""Where 0 % and 100 % of a cumulative line stand in the plot: above the bars, so that its labels never meet theirs."""
_REACH = 1 / (_ALL_AT - _ZERO_AT)


def chart_xml(block: ChartBlock) -> bytes:
    """The chart part of `block`; relationship `rId1` is its workbook."""
    plot = _scatter(block) if block.kind == "scatter" else _columns(block)
    left, top, width, height = block.plot
    place = f'<c:x val="{left}"/><c:y val="{top}"/><c:w val="{width}"/><c:h val="{height}"/>'
    layout = (
        '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/>'
        f"{place}</c:manualLayout></c:layout>"
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><c:chartSpace {NAMESPACES}><c:date1904 val="0"/>'
        f'<c:roundedCorners val="0"/><c:chart><c:autoTitleDeleted val="1"/><c:plotArea>{layout}{plot}</c:plotArea>'
        f'{_legend(block)}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>'
        f'{_words(block.text_pt)}<c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>'
    ).encode()


def _words(size_pt: float, *, bold: bool = False, tint: str = "tx1") -> str:
    style = f'sz="{round(size_pt * 100)}" b="{int(bold)}"'
    return (
        f'<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr {style}>{solid(tint)}<a:latin typeface="+mn-lt"/>'
        '</a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>'
    )


def _legend(block: ChartBlock) -> str:
    if not block.legend:
        return ""
    hidden = "".join(
        f'<c:legendEntry><c:idx val="{at}"/><c:delete val="1"/></c:legendEntry>'
        for at, series in enumerate(block.series)
        if series.role == "totals"
    )
    words = _words(block.text_pt)
    return f'<c:legend><c:legendPos val="t"/>{hidden}<c:overlay val="0"/>{words}</c:legend>'


# Columns, stacks, and lines over them --------------------------------------------------------------------------------


def _columns(block: ChartBlock) -> str:
    numbered = list(enumerate(block.series))
    bars = [(at, one) for at, one in numbered if one.role == "bars"]
    lines = [(at, one) for at, one in numbered if one.role in ("average", "totals")]
    cumulative = [(at, one) for at, one in numbered if one.role == "cumulative"]
    grouping = {"stack": "stacked", "share": "percentStacked"}.get(block.kind, "clustered")
    direction = "bar" if block.kind == "share" else "col"
    drawn = (
        f'<c:barChart><c:barDir val="{direction}"/><c:grouping val="{grouping}"/><c:varyColors val="0"/>'
        f"{''.join(_bar(block, at, one) for at, one in bars)}"
        f'<c:gapWidth val="{block.gap_pct}"/><c:overlap val="{block.overlap_pct}"/>'
        f'<c:axId val="{_CATEGORIES}"/><c:axId val="{_VALUES}"/></c:barChart>'
    )
    drawn += _line_chart(block, lines, (_CATEGORIES, _VALUES)) if lines else ""
    drawn += _line_chart(block, cumulative, (_CATEGORIES_2, _VALUES_2)) if cumulative else ""
    return drawn + _column_axes(block) + (_second_axes() if cumulative else "")


def _bar(block: ChartBlock, at: int, one: ChartSeries) -> str:
    points = "".join(
        f'<c:dPt><c:idx val="{point}"/><c:invertIfNegative val="0"/><c:bubble3D val="0"/>'
        f"<c:spPr>{solid(color)}</c:spPr></c:dPt>"
        for point, color in one.point_colors
    )
    values = _number_ref(_column_of(block, at), one.values, one.number_format)
    return (
        f'<c:ser>{_named(block, at, one)}<c:spPr>{solid(one.color)}</c:spPr><c:invertIfNegative val="0"/>{points}'
        f"{_labels(one, lambda point: 'inEnd' if point in one.inside else 'outEnd', 12)}"
        f"{_categories(block)}<c:val>{values}</c:val></c:ser>"
    )


def _line_chart(block: ChartBlock, lines: Sequence[tuple[int, ChartSeries]], axes: tuple[int, int]) -> str:
    series = "".join(_line(block, at, one) for at, one in lines)
    ids = "".join(f'<c:axId val="{one}"/>' for one in axes)
    kind = '<c:grouping val="standard"/><c:varyColors val="0"/>'
    return f'<c:lineChart>{kind}{series}<c:marker val="1"/>{ids}</c:lineChart>'


def _line(block: ChartBlock, at: int, one: ChartSeries) -> str:
    marker = '<c:marker><c:symbol val="none"/></c:marker>'
    stroke = '<a:ln w="22225"><a:noFill/></a:ln>'
    if one.role == "average":
        stroke = f'<a:ln w="22225" cap="rnd">{solid(one.color)}<a:prstDash val="dash"/><a:round/></a:ln>'
    elif one.role == "cumulative":
        stroke = f'<a:ln w="22225" cap="rnd">{solid(one.color)}<a:round/></a:ln>'
        look = f"<c:spPr>{solid('bg1')}{outline(one.color, 19_050)}</c:spPr>"
        marker = f'<c:marker><c:symbol val="circle"/><c:size val="7"/>{look}</c:marker>'
    values = _number_ref(_column_of(block, at), one.values, one.number_format)
    return (
        f"<c:ser>{_named(block, at, one)}<c:spPr>{stroke}</c:spPr>{marker}{_labels(one, lambda _: 't', 11)}"
        f'{_categories(block)}<c:val>{values}</c:val><c:smooth val="0"/></c:ser>'
    )


def _column_axes(block: ChartBlock) -> str:
    """A category axis with a line, and a value axis that is only a scale: the values stand on the bars."""
    words = "none" if block.kind == "share" else "low"
    stroke = "<a:ln><a:noFill/></a:ln>" if block.kind == "share" else outline("8A929B", 9525)
    across, up = ("l", "b") if block.kind == "share" else ("b", "l")
    return (
        f'<c:catAx><c:axId val="{_CATEGORIES}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>'
        f'<c:axPos val="{across}"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/>'
        f'<c:minorTickMark val="none"/><c:tickLblPos val="{words}"/><c:spPr>{stroke}</c:spPr>{_words(block.text_pt)}'
        f'<c:crossAx val="{_VALUES}"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/>'
        '<c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>'
        f'<c:valAx><c:axId val="{_VALUES}"/>{_scaling(block.low, block.high)}<c:delete val="0"/><c:axPos val="{up}"/>'
        '<c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/>'
        f'<c:tickLblPos val="none"/><c:spPr><a:ln><a:noFill/></a:ln></c:spPr><c:crossAx val="{_CATEGORIES}"/>'
        '<c:crosses val="autoZero"/><c:crossBetween val="between"/></c:valAx>'
    )


def _second_axes() -> str:
    """The cumulative line's axes: kept but unseen, for LibreOffice draws a line without a value axis flat at zero."""
    low, high = -_ZERO_AT * _REACH, (1 - _ZERO_AT) * _REACH
    return (
        f'<c:valAx><c:axId val="{_VALUES_2}"/>{_scaling(low, high)}<c:delete val="0"/><c:axPos val="r"/>'
        '<c:numFmt formatCode="0%" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/>'
        f'<c:tickLblPos val="none"/><c:spPr><a:ln><a:noFill/></a:ln></c:spPr><c:crossAx val="{_CATEGORIES_2}"/>'
        '<c:crosses val="max"/><c:crossBetween val="between"/></c:valAx>'
        f'<c:catAx><c:axId val="{_CATEGORIES_2}"/><c:scaling><c:orientation val="minMax"/></c:scaling>'
        '<c:delete val="1"/><c:axPos val="b"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/>'
        f'<c:tickLblPos val="nextTo"/><c:crossAx val="{_VALUES_2}"/><c:crosses val="autoZero"/></c:catAx>'
    )


def _scaling(low: float, high: float) -> str:
    return f'<c:scaling><c:orientation val="minMax"/><c:max val="{high!r}"/><c:min val="{low!r}"/></c:scaling>'


# Scatter -------------------------------------------------------------------------------------------------------------


def _scatter(block: ChartBlock) -> str:
    series = "".join(_points(block, at, one) for at, one in enumerate(block.series))
    low, high, step = block.across or (0, 1, 1)
    names = block.axis_titles or ("", "")
    x_axis = _scatter_axis(block, _CATEGORIES, _VALUES, "b", (low, high, step), names[0], block.axis_formats[0])
    up = (block.low, block.high, block.step or 1)
    y_axis = _scatter_axis(block, _VALUES, _CATEGORIES, "l", up, names[1], block.axis_formats[1])
    return (
        f'<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>{series}'
        f'<c:axId val="{_CATEGORIES}"/><c:axId val="{_VALUES}"/></c:scatterChart>{x_axis}{y_axis}'
    )


def _points(block: ChartBlock, at: int, one: ChartSeries) -> str:
    stroke, marker = "<a:ln><a:noFill/></a:ln>", '<c:marker><c:symbol val="none"/></c:marker>'
    if one.role == "average":
        stroke = f'<a:ln w="19050">{solid(one.color)}<a:prstDash val="dash"/></a:ln>'
    else:
        size = 21 if one.names else 9
        look = f"<c:spPr>{solid(one.color)}{outline('bg1', 9525)}</c:spPr>"
        marker = f'<c:marker><c:symbol val="circle"/><c:size val="{size}"/>{look}</c:marker>'
    x, y = _column_of(block, at)
    return (
        f"<c:ser>{_named(block, at, one)}<c:spPr>{stroke}</c:spPr>{marker}{_name_labels(one)}"
        f"<c:xVal>{_number_ref((x, x), one.across, 'General')}</c:xVal>"
        f'<c:yVal>{_number_ref((y, y), one.values, one.number_format)}</c:yVal><c:smooth val="0"/></c:ser>'
    )


def _name_labels(one: ChartSeries) -> str:
    """Names in the markers, or at the end of an average line."""
    place = "t" if one.role == "average" else "ctr"
    style = 'lang="en-US" sz="1100" b="1"'
    made = "".join(
        f'<c:dLbl><c:idx val="{point}"/><c:tx><c:rich><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr {style}>'
        f"{solid(one.label_color)}</a:rPr><a:t>{text(name)}</a:t></a:r></a:p></c:rich></c:tx>"
        f'<c:dLblPos val="{place}"/>{_shown(value=True)}</c:dLbl>'
        for point, name in enumerate(one.names)
        if name
    )
    return f"<c:dLbls>{made}{_shown(value=False)}</c:dLbls>"


def _scatter_axis(
    block: ChartBlock, own: int, other: int, place: str, scale: tuple[float, float, float], name: str, code: str
) -> str:
    low, high, step = scale
    grid = f"<c:majorGridlines><c:spPr>{outline('hair', 6350)}</c:spPr></c:majorGridlines>" if place == "l" else ""
    turned = ' rot="-5400000" vert="horz"' if place == "l" else ""
    size = round(block.text_pt * 100)
    title = (
        f'<c:title><c:tx><c:rich><a:bodyPr{turned}/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="{size}" b="0"/></a:pPr>'
        f'<a:r><a:rPr lang="en-US" sz="{size}" b="0"/><a:t>{text(name)}</a:t></a:r></a:p></c:rich></c:tx>'
        '<c:overlay val="0"/></c:title>'
    )
    stroke = "<a:ln><a:noFill/></a:ln>" if place == "l" else outline("8A929B", 9525)
    return (
        f'<c:valAx><c:axId val="{own}"/>{_scaling(low, high)}<c:delete val="0"/><c:axPos val="{place}"/>{grid}{title}'
        f'<c:numFmt formatCode={attribute(code)} sourceLinked="0"/><c:majorTickMark val="none"/>'
        f'<c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:spPr>{stroke}</c:spPr>{_words(block.text_pt)}'
        f'<c:crossAx val="{other}"/><c:crosses val="min"/><c:crossBetween val="midCat"/><c:majorUnit val="{step!r}"/>'
        "</c:valAx>"
    )


# Series, labels, references ------------------------------------------------------------------------------------------


def _column_of(block: ChartBlock, at: int) -> tuple[int, int]:
    """The 0-based columns of a series in the workbook: (x, y) of a scatter, (values, values) else."""
    return (2 * at, 2 * at + 1) if block.kind == "scatter" else (at + 1, at + 1)


def _named(block: ChartBlock, at: int, one: ChartSeries) -> str:
    letters = column_letters(_column_of(block, at)[1])
    cache = f'<c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>{text(one.name)}</c:v></c:pt></c:strCache>'
    name = f"<c:tx><c:strRef><c:f>{SHEET}!${letters}$1</c:f>{cache}</c:strRef></c:tx>"
    return f'<c:idx val="{at}"/><c:order val="{at}"/>{name}'


def _categories(block: ChartBlock) -> str:
    points = "".join(f'<c:pt idx="{at}"><c:v>{text(name)}</c:v></c:pt>' for at, name in enumerate(block.categories))
    last = len(block.categories) + 1
    cache = f'<c:strCache><c:ptCount val="{len(block.categories)}"/>{points}</c:strCache>'
    return f"<c:cat><c:strRef><c:f>{SHEET}!$A$2:$A${last}</c:f>{cache}</c:strRef></c:cat>"


def _number_ref(columns: tuple[int, int], values: Iterable[float | None], code: str) -> str:
    letters = column_letters(columns[1])
    given = list(values)
    points = "".join(f'<c:pt idx="{at}"><c:v>{v!r}</c:v></c:pt>' for at, v in enumerate(given) if v is not None)
    cache = f'<c:numCache><c:formatCode>{text(code)}</c:formatCode><c:ptCount val="{len(given)}"/>{points}</c:numCache>'
    return f"<c:numRef><c:f>{SHEET}!${letters}$2:${letters}${len(given) + 1}</c:f>{cache}</c:numRef>"


def _labels(one: ChartSeries, place: Callable[[int], str], size_pt: float) -> str:
    """Labels at the labelled points, each with its own format and place."""
    if not one.labelled:
        return ""
    made = "".join(_label(one, point, place(point), size_pt) for point in one.labelled)
    return f"<c:dLbls>{made}{_shown(value=False)}</c:dLbls>"


def _label(one: ChartSeries, point: int, place: str, size_pt: float) -> str:
    """One point's label; outside a bar it stands on paper, so it is ink whatever the bar's colour."""
    tint = "tx1" if place == "outEnd" else one.label_color
    code = code_for(one.number_format, one.values[point])
    return (
        f'<c:dLbl><c:idx val="{point}"/><c:numFmt formatCode={attribute(code)} sourceLinked="0"/>'
        f"<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>{_words(size_pt, bold=True, tint=tint)}"
        f'<c:dLblPos val="{place}"/>{_shown(value=True)}</c:dLbl>'
    )


def _shown(*, value: bool) -> str:
    return (
        f'<c:showLegendKey val="0"/><c:showVal val="{int(value)}"/><c:showCatName val="0"/><c:showSerName val="0"/>'
        '<c:showPercent val="0"/><c:showBubbleSize val="0"/>'
    )
