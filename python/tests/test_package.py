"""What comes with the package: the shipped operators, and the command's answers."""

import pytest

sectile = pytest.importorskip("sectile")
numpy = pytest.importorskip("numpy")


@pytest.fixture
def shipped():
    try:
        return sectile.operators
    except sectile.Error as e:
        pytest.skip(f"no shipped operators here: {e}")


def bf16(x):
    """Cut to its upper half, as an integer; and what that is."""
    bits = numpy.asarray(x, "f4").view("u4") & 0xFFFF0000
    return (bits >> 16).astype("u2"), bits.view("f4")


def test_each_says_what_it_computes(shipped):
    assert len(shipped) > 0
    for operator in shipped:
        assert operator.summary and operator.operands
        assert any(o.kind == "output" for o in operator.operands)


def test_a_product_of_numbers_that_numpy_has_no_type_for(shipped):
    random = numpy.random.default_rng(2)
    a, a_is = bf16(random.standard_normal((72, 64)))
    b, b_is = bf16(random.standard_normal((40, 64)))
    c = numpy.zeros((72, 40), "u2")
    shipped.gemm_bf16(a, b, out=c)
    c_is = (c.astype("u4") << 16).view("f4")
    assert numpy.abs(c_is - a_is @ b_is.T).max() < 0.15


def test_layers_take_vectors_and_numbers(shipped):
    if "rms_norm_bf16" not in dir(shipped):
        pytest.skip("the package was built without it")
    x, x_is = bf16(numpy.random.default_rng(3).standard_normal((16, 128)))
    gamma, _ = bf16(numpy.ones(128))
    y = numpy.zeros((16, 128), "u2")
    shipped.rms_norm_bf16(x, gamma, 1e-5, out=y)
    y_is = (y.astype("u4") << 16).view("f4")
    norm = x_is / numpy.sqrt((x_is**2).mean(1, keepdims=True) + 1e-5)
    assert numpy.abs(y_is - norm).max() < 0.03


@pytest.fixture
def layouts():
    from sectile import tool

    try:
        tool.find_tool()
    except sectile.Error as e:
        pytest.skip(str(e))
    return sectile.layouts


def test_layouts(layouts):
    a = layouts.Layout("(6,2):(8,2)")
    assert str(a @ layouts.Layout("(4,3):(3,1)")) == "((2,2),3):((24,2),8)"
    assert layouts.composition(a, "(4,3):(3,1)") == a @ "(4,3):(3,1)"
    assert layouts.size(a) == 12 and a(3) == 24
    assert a._repr_svg_().startswith("<svg")
    with pytest.raises(sectile.Error, match="no name 'foo'"):
        layouts.Layout("foo")


def test_the_command_explains(layouts):
    assert sectile.explain("gemm_bf16").startswith("gemm_bf16: ")
    with pytest.raises(sectile.Error):
        sectile.explain("gemm_bf17")


def test_the_command_draws(layouts, tmp_path):
    picture = sectile.figure("gemm_bf16", "A.memory")
    assert picture.svg.lstrip().startswith("<svg") and picture._repr_svg_() == picture.svg
    picture.save(tmp_path / "A.svg")
    assert (tmp_path / "A.svg").read_text() == picture.svg


def test_the_command_makes_pages_with_this_python(layouts, tmp_path):
    for part in ("jinja2", "markdown_it", "pygments"):
        pytest.importorskip(part, reason=f"pages take {part}: pip install jinja2 markdown-it-py pygments")
    page = sectile.tutorial("gemm_bf16", tmp_path)
    assert page == tmp_path / "gemm_bf16.html" and "gemm_bf16" in page.read_text()


def test_without_the_command_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.delenv("SECTILE_TOOL", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("sectile.tool.OWN", sectile.tool.OWN.with_name("none"))
    with pytest.raises(sectile.Error, match="the sectile command is not here: .* libfmt-dev, libcli11-dev"):
        sectile.layouts.Layout("4:1")
