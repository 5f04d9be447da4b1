"""A valid statement per tile operation, and the mistakes that only it can have; for make_negative.py."""
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Tile:
    elem: str = 'f32'
    rows: int = 16
    cols: int = 64
    loc: str = 'vec'
    valid: tuple = ()
    blayout: str = 'row_major'
    slayout: str = 'none_box'
    fractal: int = 512
    pad: int = 0
    extra: str = ''

    def __str__(self):
        text = f'!pto.tile_buf<{self.loc}, {self.extra}{self.rows}x{self.cols}x{self.elem}'
        if self.valid and self.valid != (self.rows, self.cols):
            text += f', valid={self.valid[0]}x{self.valid[1]}'
        for key, default in (('blayout', 'row_major'), ('slayout', 'none_box'), ('fractal', 512), ('pad', 0)):
            if getattr(self, key) != default:
                text += f', {key}={getattr(self, key)}'
        return text + '>'

    def region(self):
        return self.valid or (self.rows, self.cols)


@dataclass(frozen=True)
class Op:
    name: str
    operands: tuple = ()                 # (name, Tile or type or '=constant : type')
    attrs: str = ''
    targets: tuple = ('a2a3', 'a5')
    absent: tuple = ()                   # optional operands left out
    result: str = ''
    more: dict = field(default_factory=dict)   # further changes by name: (operand, value) pairs or a whole Op

    def get(self, name):
        return dict(self.operands)[name]

    def change(self, **new):
        return replace(self, operands=tuple((n, new.get(n, v)) for n, v in self.operands))


NZ = dict(blayout='col_major', slayout='row_major')
ZN = dict(slayout='col_major')
V = lambda elem='f32', rows=16, cols=64, **kw: Tile(elem, rows, cols, **kw)
MAT = lambda elem='f16', rows=32, cols=32, **kw: Tile(elem, rows, cols, 'mat', **{**NZ, **kw})
ACC = lambda elem='f32', rows=16, cols=16, **kw: Tile(elem, rows, cols, 'acc', fractal=1024, **{**NZ, **kw})
VIEW = lambda elem='f32', dims='16x64': f'!pto.partition_tensor_view<{dims}x{elem}>'


def left(target, elem='f16', rows=16, cols=32):
    return Tile(elem, rows, cols, 'left', blayout='row_major' if target == 'a2a3' else 'col_major', slayout='row_major')


def right(elem='f16', rows=32, cols=16):
    return Tile(elem, rows, cols, 'right', slayout='col_major')


def operations(target):
    a5 = target == 'a5'
    ops = []
    add = lambda name, operands, **kw: ops.append(Op('pto.' + name, tuple(operands), **kw))
    unary = lambda e: [('src', V(e)), ('dst', V(e))]
    binary = lambda e: [('src0', V(e)), ('src1', V(e)), ('dst', V(e))]
    for n in 'tabs tneg texp tlog tsqrt trecip trelu'.split():
        add(n, unary('f32'))
    add('tnot', unary('i16'))
    add('trsqrt', [('src', V()), ('dst', V()), ('tmp', V('f32', 1, 8))])
    for n in 'tadd tsub tmul tdiv tmax tmin tfmod'.split():
        add(n, binary('f32'))
    for n in 'tand tor tshl tshr'.split():
        add(n, binary('i16'))
    add('txor', [('src0', V('i16')), ('src1', V('i16')), ('tmp', V('i16')), ('dst', V('i16'))])
    add('tprelu', [('src0', V()), ('src1', V()), ('tmp', V('i8')), ('dst', V())])
    add('trem', [('src0', V()), ('src1', V()), ('tmp', V('f32', 2)), ('dst', V())], more={'thin_tmp': [('tmp', V('f32', 2, 64, valid=(0, 64)))], 'narrow_tmp': [('tmp', V('f32', 2, 32))]})
    for n in 'taddc tsubc'.split():
        add(n, [('src0', V()), ('src1', V()), ('src2', V()), ('dst', V())])
    for n in 'tadds tsubs tmaxs tmins tfmods'.split():
        add(n, [('src', V()), ('scalar', 'f32'), ('dst', V())], more={'scalar_type': [('scalar', 'i32')]})
    add('tmuls', [('src0', V()), ('scalar', 'f32'), ('dst', V())], more={'scalar_type': [('scalar', 'i32')]})
    add('tdivs', [('src', V()), ('scalar', 'f32'), ('dst', V())], more={'scalar_type': [('scalar', 'i32')], 'two_tiles': [('scalar', V())], 'no_tile': [('src', 'f32')]})
    for n in 'tands tors'.split():
        add(n, [('src', V('i16')), ('scalar', 'i16'), ('dst', V('i16'))], more={'scalar_type': [('scalar', 'f32')]})
    add('txors', [('src', V('i16')), ('scalar', 'i16'), ('tmp', V('i16')), ('dst', V('i16'))])
    add('tshls', [('src', V('i16')), ('scalar', '=3 : i16'), ('dst', V('i16'))], more={'negative': [('scalar', '=-1 : i16')]})
    add('tshrs', [('src', V('i16')), ('scalar', '=3 : i16'), ('dst', V('i16'))])
    add('trems', [('src', V()), ('scalar', 'f32'), ('tmp', V('f32', 2)), ('dst', V())],
        more={'scalar_type': [('scalar', 'f16')], 'thin_tmp': [('tmp', V('f32', 2, 64, valid=(0, 64)))], 'narrow_tmp': [('tmp', V('f32', 2, 32))]})
    add('tlrelu', [('src', V()), ('slope', 'f32'), ('dst', V())], more={'scalar_type': [('slope', 'f16')]})
    for n in 'taddsc tsubsc'.split():
        add(n, [('src0', V()), ('scalar', 'f32'), ('src1', V()), ('dst', V())])
    add('taxpy', [('src', V()), ('scalar', 'f32'), ('dst', V())], more={'scalar_type': [('scalar', 'f16')]})
    add('texpands', [('scalar', 'f32'), ('dst', V())], more={'scalar_type': [('scalar', 'f16')]})
    add('tsels', [('mask', V('i8', 16, 64)), ('src', V()), ('tmp', V('i8', 16, 64)), ('scalar', 'f32'), ('dst', V())])
    add('tsel', [('mask', V('i8', 16, 64)), ('src0', V()), ('src1', V()), ('tmp', V('i8', 16, 64)), ('dst', V())])
    add('tcmp', [('src0', V()), ('src1', V()), ('dst', V('i8'))])
    add('tcmps', [('src', V()), ('scalar', 'f32'), ('dst', V('i8'))], more={'scalar_type': [('scalar', V())]})
    add('tci', [('S', 'i32'), ('dst', V('i32'))], more={'scalar_type': [('S', 'f32')], 'scalar_width': [('S', 'i16')], 'column': [('dst', V('i32', 16, 1, blayout='col_major'))]})
    add('ttri', [('diagonal', 'i32'), ('dst', V('i32'))], attrs='upperOrLower = 1 : i32', more={'scalar_type': [('diagonal', 'f32')], 'attr': 'upperOrLower = 2 : i32'})
    keys = [('key0', 'i32'), ('key1', 'i32')] + [(f'counter{i}', 'i32') for i in range(4)]
    add('trandom', keys + [('dst', V('i32'))], targets=('a5',), more={'scalar_type': [('key0', 'i64')], 'attr': 'rounds = 8 : i32'})
    add('tcvt', [('src', V()), ('dst', V('f16')), ('tmp', V('f32'))])
    add('tquant', [('src', V()), ('fp', V()), ('dst', V('i8'))], attrs='quant_type = #pto<quant_type INT8_SYM>', absent=('offset',),
        more={'asym': 'quant_type = #pto<quant_type INT8_ASYM>', 'no_attr': ''})
    add('tquant', [('src', V()), ('fp', V()), ('offset', V()), ('dst', V('i8'))], attrs='quant_type = #pto<quant_type INT8_ASYM>', more={'sym': 'quant_type = #pto<quant_type INT8_SYM>'})
    add('tdequant', [('src', V('i8')), ('scale', V()), ('offset', V()), ('dst', V())])
    column = V('f32', 16, 8, valid=(16, 1))
    for n in 'trowsum trowmax trowmin trowprod'.split():
        add(n, [('src', V()), ('tmp', V()), ('dst', column)], more={'wide_dn': [('dst', V('f32', 16, 8, blayout='col_major', valid=(16, 1)))], 'two_columns': [('dst', replace(column, valid=(16, 2)))]})
    for n in 'trowargmax trowargmin'.split():
        add(n, [('src', V()), ('tmp', V()), ('dst', V('i32', 16, 8, valid=(16, 1)))], more={'wide_dn': [('dst', V('i32', 16, 8, blayout='col_major', valid=(16, 1)))], 'two_columns': [('dst', V('i32', 16, 8, valid=(16, 2)))]})
    row = V('f32', 1, 64)
    for n in 'tcolmax tcolmin tcolprod'.split():
        add(n, [('src', V()), ('dst', row)])
    add('tcolsum', [('src', V()), ('tmp', V()), ('dst', row)], attrs='isBinary = true', more={'attr': ''})
    for n in 'tcolargmax tcolargmin'.split():
        add(n, [('src', V()), ('tmp', V()), ('dst', V('i32', 1, 64))], more={'two_rows': [('dst', V('i32', 2, 64))]})
    narrow = V('f32', 16, 8)
    add('trowexpand', [('src', narrow), ('dst', V())])
    for n in 'add sub mul div max min expdif'.split():
        high = {'precision': 'precision_mode = #pto<precision_mode HIGH_PRECISION>'} if n == 'div' else {}
        add('trowexpand' + n, [('src0', V()), ('src1', narrow), ('dst', V())], absent=('tmp',), more={'narrow': [('src1', replace(narrow, valid=(16, 4)))], 'tall': [('src1', V('f32', 8, 8))], 'wide_dn': [('src1', V('f32', 16, 8, blayout='col_major', valid=(16, 2)))]})
        if n in ('mul', 'sub', 'div'):
            add('trowexpand' + n, [('src0', V()), ('src1', V('f32', 16, 1, blayout='col_major')), ('tmp', V()), ('dst', V())])
        if n in ('max', 'min', 'expdif'):
            add('trowexpand' + n, [('src0', V()), ('src1', V('f32', 16, 1, blayout='col_major')), ('tmp', V()), ('dst', V())], targets=('a2a3',), more={'row_major_tmp': [('src1', narrow)]})
            if a5:
                add('trowexpand' + n, [('src0', V()), ('src1', narrow), ('tmp', V()), ('dst', V())], attrs='')
    add('tcolexpand', [('src', row), ('dst', V())])
    for n in 'add sub mul div max min expdif'.split():
        add('tcolexpand' + n, [('src0', V()), ('src1', row), ('dst', V())])
    for n in 'tpartadd tpartmul tpartmax tpartmin'.split():
        part = [('src0', V()), ('src1', V(valid=(8, 64))), ('dst', V())]
        add(n, part, more={'larger': [('dst', V(valid=(8, 64))), ('src1', V(valid=(8, 64)))], 'neither': [('src0', V(valid=(8, 32)))]})
    for n in 'tpartargmax tpartargmin'.split():
        add(n, [('src0', V()), ('src1', V()), ('src0Idx', V('i32')), ('src1Idx', V('i32')), ('dst', V()), ('dstIdx', V('i32'))],
            more={'larger': [('dst', V(valid=(8, 64))), ('dstIdx', V('i32', valid=(8, 64)))], 'neither': [(k, V(e, valid=(8, 32))) for k, e in (('src0', 'f32'), ('src1', 'f32'), ('src0Idx', 'i32'), ('src1Idx', 'i32'))]})
    ops += moves(target) + gathers(target) + products(target)
    return [op for op in ops if target in op.targets or op.targets == ('a5',)]


def moves(target):
    a5, ops = target == 'a5', []
    add = lambda name, operands, **kw: ops.append(Op('pto.' + name, tuple(operands), **kw))
    add('tload', [('src', VIEW()), ('dst', V())], absent=('pad_value', 'left_padding_num', 'right_padding_num', 'init_condition'),
        more={'zero_view': [('src', VIEW(dims='0x64'))], 'width': [('src', VIEW('f16'))], 'zz': [('dst', V('f16', 16, 64, slayout='row_major'))], 'i64_pad': [('src', VIEW('i64')), ('dst', V('i64', pad=2))], 'to_left': [('dst', left(target))], 'f64': [('src', VIEW('f64')), ('dst', V('f64'))]})
    add('tprefetch', [('src', VIEW()), ('dst', V())], more={'zero_view': [('src', VIEW(dims='0x64'))], 'width': [('src', VIEW('f16'))]})
    add('tstore', [('src', V()), ('dst', VIEW())], absent=('preQuantScalar',),
        more={'zero_view': [('dst', VIEW(dims='0x64'))], 'width': [('dst', VIEW('f16'))], 'count': [('dst', VIEW(dims='16x32'))], 'zz': [('src', V('f16', 16, 64, slayout='row_major')), ('dst', VIEW('f16'))],
              'from_left': [('src', left(target, 'f32')), ('dst', VIEW(dims='16x32'))], 'relu': 'reluPreMode = #pto<relu_pre_mode normal_relu>', 'f64': [('src', V('f64')), ('dst', VIEW('f64'))]})
    add('tstore', [('src', V()), ('dst', VIEW()), ('preQuantScalar', 'i64')])
    acc_view = VIEW('f32', '16x16')
    add('tstore', [('src', ACC()), ('dst', acc_view)], absent=('preQuantScalar',), more={'acc_elem': [('src', ACC('f16'))], 'acc_to': [('dst', VIEW('i8', '16x16'))], 'cols': [('src', ACC('f32', 1, 4096)), ('dst', VIEW('f32', '1x4096'))]})
    add('tstore', [('src', ACC()), ('dst', VIEW('i8', '16x16')), ('preQuantScalar', 'i64')], more={'quant_to': [('dst', VIEW('i32', '16x16'))]})
    add('tstore', [('src', ACC('i32')), ('dst', VIEW('i8', '16x16')), ('preQuantScalar', 'i64')], more={'quant_to': [('dst', VIEW('i32', '16x16'))]})
    fp = Tile('f32', 1, 64, 'scaling')
    add('tstore_fp', [('src', ACC()), ('fp', fp), ('dst', VIEW('i8', '16x16'))], more={'zero_view': [('dst', VIEW('i8', '0x16'))], 'cols': [('src', ACC('f32', 1, 4096)), ('dst', VIEW('i8', '1x4096'))]})
    mode = lambda m: f'accToVecMode = #pto.acc_to_vec_mode<{m}>'
    add('tmov', [('src', V()), ('dst', V())], absent=('fp', 'preQuantScalar'), more={'mode': mode('single_mode_vec0'), 'relu': 'reluPreMode = #pto<relu_pre_mode normal_relu>', 'path': [('dst', Tile('f32', 16, 64, 'bias'))]})
    add('tmov', [('src', V()), ('dst', V()), ('preQuantScalar', 'i64')], absent=('fp',))
    add('tmov', [('src', MAT()), ('dst', left(target, rows=32))], absent=('fp', 'preQuantScalar'), more={'smaller': [('dst', left(target))]})
    add('tmov', [('src', ACC()), ('dst', MAT('f16', 16, 16))], absent=('fp', 'preQuantScalar'), more={'fractal': [('dst', MAT('f16', 16, 16, fractal=1024))]})
    add('tmov', [('src', ACC()), ('dst', MAT('i8', 16, 32)), ('fp', fp)], absent=('preQuantScalar',), more={'acc_elem': [('src', ACC('f16'))], 'fp_vec': [('fp', V('f32', 1, 64))], 'acc_nd': [('src', Tile('f32', 16, 16, 'acc'))]}) if a5 else None
    add('tmov', [('src', ACC('f32', 16, 32)), ('dst', MAT('i8', 16, 32)), ('fp', fp), ('preQuantScalar', 'i64')])
    add('tmov', [('src', V()), ('dst', V()), ('fp', fp)], absent=('preQuantScalar',))
    if a5:
        add('tmov', [('src', ACC('f32', 16, 32)), ('dst', V('i8', 16, 32)), ('fp', fp)], absent=('preQuantScalar',), more={'dual': mode('dual_mode_split_m')})
    add('tmov.fp', [('src', ACC('f32', 16, 32)), ('fp', fp), ('dst', MAT('i8', 16, 32))], more={'fractal': [('dst', MAT('i8', 16, 32, fractal=1024))]})
    zero = [('indexRow', '=0 : index'), ('indexCol', '=0 : index')]
    windows = {'negative': [('indexRow', '=-1 : index')], 'negative_col': [('indexCol', '=-1 : index')], 'beyond': [('indexRow', '=64 : index')], 'beyond_col': [('indexCol', '=64 : index')], 'index_type': [('indexRow', 'i32')]}
    add('textract', [('src', MAT()), *zero, ('dst', left(target))], more={**windows, 'inside': [('indexRow', '=4 : index')], 'path': [('dst', ACC('f16'))], 'from': [('src', ACC('f16', 32, 32))], 'mat_zz': [('src', MAT(slayout='col_major'))], 'left_zn': [('dst', replace(left(target), slayout='col_major'))]})
    add('textract', [('src', MAT()), *zero, ('dst', right('f16', 16, 32))], more={'right_zz': [('dst', replace(right('f16', 16, 32), slayout='row_major'))]})
    add('textract', [('src', V()), *zero, ('dst', V('f32', 8, 8))])
    for n, wide in (('textract_fp', False), ('tinsert_fp', True)):
        big = MAT('i8', 32, 32)
        add(n, [('src', ACC('f32', 32, 32)), ('fp', fp), *zero, ('dst', big)], more={**windows, 'fractal': [('dst', replace(big, fractal=1024))]})
    add('tinsert', [('src', ACC()), *zero, ('dst', MAT())], more={**windows, 'fractal': [('dst', MAT(fractal=1024))], 'path': [('src', MAT('f16', 16, 16))]})
    add('tinsert', [('src', V('f32', 8, 8)), *zero, ('dst', V())])
    if a5:
        add('tinsert', [('src', V('f16', 16, 16)), *zero, ('dst', MAT())])
    padded = V(pad=1)
    for n in 'tfillpad tfillpad_expand tfillpad_inplace'.split():
        add(n, [('src', V(valid=(16, 60))), ('dst', padded)], more={'no_pad': [('dst', V())], 'smaller': [('dst', V('f32', 8, 64, pad=1))], 'i64': [('src', V('i64', valid=(16, 60))), ('dst', V('i64', pad=1))], 'shape_differs': [('dst', V('f32', 32, 64, pad=1))],
            'mat_types': [('src', MAT(valid=('?', '?'))), ('dst', MAT(pad=1))]})
    add('ttrans', [('src', V()), ('tmp', V()), ('dst', V('f32', 64, 16))])
    add('tconcat', [('src0', V('f32', 16, 32)), ('src1', V('f32', 16, 32)), ('dst', V())], more={'sum': [('dst', V('f32', 16, 40))]})
    add('tconcatidx', [('src0', V('f32', 16, 32)), ('src1', V('f32', 16, 32)), ('src0Idx', V('i32', 16, 32)), ('src1Idx', V('i32', 16, 32)), ('dst', V())], more={'both_idx': [('src0Idx', V('f32', 16, 32)), ('src1Idx', V('f32', 16, 32))]})
    add('tgetval', [('src', V()), ('offset', '=0 : index')], result='f32', more={'offset_type': [('offset', 'i32')], 'result': 'RESULT i32'})
    add('tsetval', [('dst', V()), ('offset', '=0 : index'), ('val', 'f32')], more={'scalar_type': [('val', 'i32')]})
    return [op for op in ops if op is not None]


def gathers(target):
    a5, ops = target == 'a5', []
    add = lambda name, operands, **kw: ops.append(Op('pto.' + name, tuple(operands), **kw))
    mask = 'maskPattern = #pto.mask_pattern<P0101>'
    add('tgather', [('src', V()), ('dst', V('f32', 16, 32))], attrs=mask, absent=('cdst', 'indices', 'tmp', 'kValue'), more={'no_form': '', 'part': [('dst', V('f32', 16, 32, valid=(16, 16)))], 'bytes': [('src', V('i8')), ('dst', V('i8', 16, 32))], 'i64': [('src', V('i64')), ('dst', V('i64', 16, 32))]})
    add('tgather', [('src', V()), ('dst', V('f32', 16, 32)), ('tmp', V())], attrs=mask, absent=('cdst', 'indices', 'kValue'))
    index = [('src', V()), ('dst', V()), ('indices', V('i32')), ('tmp', V('i32'))]
    add('tgather', index, absent=('cdst', 'kValue'), more={'i64': [('src', V('i64')), ('dst', V('i64'))], 'part': [('dst', V(valid=(16, 16)))], 'part_idx': [('indices', V('i32', valid=(16, 16)))], 'float_idx': [('indices', V())]})
    compare = [('src', V()), ('dst', V('i32')), ('cdst', V('i32')), ('tmp', V()), ('kValue', 'f32')]
    add('tgather', compare, attrs='cmpMode = #pto<cmp gt>', absent=('indices',), more={'mode': 'cmpMode = #pto<cmp le>', 'float_dst': [('dst', V())], 'scalar_type': [('kValue', 'i32')], 'src_i8': [('src', V('i8')), ('kValue', 'i8')]})
    add('tgather', [c for c in compare if c[0] != 'cdst'], attrs='cmpMode = #pto<cmp gt>', absent=('indices', 'cdst'))
    add('tgather', compare[:3] + [('indices', V('i32')), *compare[3:]], attrs='cmpMode = #pto<cmp gt>')
    add('tgatherb', [('src', V()), ('offsets', V('i32')), ('dst', V())], more={'i64': [('dst', V('i64'))]})
    add('tscatter', [('src', V()), ('indexes', V('i32')), ('dst', V())], more={'width': [('indexes', V('i16'))], 'float_idx': [('indexes', V())]})
    add('mgather', [('mem', VIEW()), ('idx', V('i32')), ('dst', V())], targets=('a5',), more={'mem_elem': [('mem', VIEW('f16'))], 'idx_rows': [('idx', V('i32', 8))], 'idx_cols': [('idx', V('i32', 16, 32))], 'ub': [('mem', '!pto.ptr<f32, ub>')]})
    add('mscatter', [('src', V()), ('idx', V('i32')), ('mem', VIEW())], targets=('a5',), more={'mem_elem': [('mem', VIEW('f16'))], 'idx_rows': [('idx', V('i32', 8))], 'idx_cols': [('idx', V('i32', 16, 32))], 'ub': [('mem', '!pto.ptr<f32, ub>')]})
    add('mscatter', [('src', V('f16')), ('idx', V('i32')), ('mem', VIEW('f16'))], targets=('a5',), more={'atomic': 'scatterAtomicOp = #pto<scatter_atomic_op max>'})
    add('tsort32', [('src', V()), ('idx', V('ui32')), ('tmp', V()), ('dst', V('f32', 16, 128))])
    list_ = V('f32', 1, 256)
    add('tmrgsort', [('srcs', list_), ('blockLen', '=64 : i32'), ('dsts', list_)], absent=('tmp', 'excuted'), more={'block': [('blockLen', '=100 : i32')], 'rows': [('srcs', V('f32', 2, 256))], 'dst_rows': [('dsts', V('f32', 2, 256))], 'cols': [('dsts', V('f32', 1, 128))], 'i32': [('srcs', V('i32', 1, 256)), ('dsts', V('i32', 1, 256))]})
    add('thistogram', [('src', V('ui16', 32, 32)), ('idx', V('ui8', 32, 1, blayout='col_major')), ('dst', V('ui32', 32, 256))], targets=('a5',),
        more={'bins': [('dst', V('ui32', 32, 128))], 'valid_bins': [('dst', V('ui32', 32, 256, valid=(32, 128)))], 'idx_cols': [('idx', V('ui8', 32, 2, blayout='col_major'))], 'idx_rows': [('idx', V('ui8', 64, 1, blayout='col_major'))], 'dst_rows': [('dst', V('ui32', 16, 256))]})
    return ops


def products(target):
    ops = []
    add = lambda name, operands, **kw: ops.append(Op('pto.' + name, tuple(operands), **kw))
    for gemv in (False, True):
        m = 1 if gemv else 16
        name = 'tgemv' if gemv else 'tmatmul'
        l, r, d = left(target, rows=m), right(), ACC('f32', m, 16)
        bias = Tile('f32', 1, 16, 'bias')
        more = lambda a, b: {'k': [(b, right(rows=64))], 'n': [('dst', ACC('f32', m, 32))], 'm': [('dst', ACC('f32', 32, 16))], 'extent': [(a, left(target, rows=1, cols=4096)), (b, right(rows=4096)), ('dst', ACC('f32', 1, 16))],
                             'triple': [('dst', ACC('i32', m, 16))], 'two_rows': [(a, replace(left(target), valid=(2, 32))), ('dst', ACC('f32', 16, 16, valid=(2, 16)))]}
        biased = {'bias_rows': [('bias', Tile('f32', 2, 16, 'bias'))], 'bias_dn': [('bias', Tile('f32', 8, 16, 'bias', blayout='col_major', valid=(1, 16)))]}
        add(name, [('lhs', l), ('rhs', r), ('dst', d)], more=more('lhs', 'rhs'))
        add(name + '.acc', [('acc_in', d), ('lhs', l), ('rhs', r), ('dst', d)], more=more('lhs', 'rhs'))
        add(name + '.bias', [('a', l), ('b', r), ('bias', bias), ('dst', d)], more={**more('a', 'b'), **biased})
        l8, r8 = left('a5', 'f8E4M3FN', m, 64), right('f8E4M3FN', 64, 32)
        d8 = ACC('f32', m, 32)
        sa, sb = Tile('f16', m, 64, 'scaling', slayout='none_box'), Tile('f16', 64, 32, 'scaling')
        mx = [('a', l8), ('a_scale', sa), ('b', r8), ('b_scale', sb)]
        scaled = {'k': [('b', right('f8E4M3FN', 128, 32)), ('b_scale', Tile('f16', 128, 32, 'scaling'))], 'n': [('dst', ACC('f32', m, 64))], 'm': [('dst', ACC('f32', 48, 32))], 'two_rows': [('a', replace(left('a5', 'f8E4M3FN', 16, 64), valid=(2, 64))), ('a_scale', Tile('f16', 16, 64, 'scaling', valid=(2, 64))), ('dst', ACC('f32', 16, 32, valid=(2, 32)))],
                  'extent': [('a', left('a5', 'f8E4M3FN', m, 4096)), ('a_scale', Tile('f16', m, 4096, 'scaling')), ('b', right('f8E4M3FN', 4096, 32)), ('b_scale', Tile('f16', 4096, 32, 'scaling'))],
                  'f16': [('a', left('a5', 'f16', m, 64)), ('b', right('f16', 64, 32))], 'f32_dst': [('dst', ACC('f16', m, 32))], 'scale_shape': [('a_scale', Tile('f16', m, 128, 'scaling'))], 'scale_valid': [('a_scale', replace(sa, valid=(m, 32)))], 'b_scale_shape': [('b_scale', Tile('f16', 64, 64, 'scaling'))], 'b_scale_valid': [('b_scale', replace(sb, valid=(32, 32)))]}
        add(name + '.mx', mx + [('dst', d8)], targets=('a5',), more=scaled)
        add(name + '.mx.acc', [('c_in', d8)] + mx + [('dst', d8)], targets=('a5',), more={**scaled, 'acc_region': [('c_in', replace(d8, valid=(m, 16)))]})
        bias8 = Tile('f32', 1, 32, 'bias')
        add(name + '.mx.bias', mx + [('bias', bias8), ('dst', d8)], targets=('a5',), more={**scaled, **biased, 'bias_cols': [('bias', Tile('f32', 1, 64, 'bias'))], 'bias_valid': [('bias', replace(bias8, valid=(1, 16)))]})
    add('tget_scale_addr', [('src', left('a5', 'f8E4M3FN', 1, 128)), ('dst', Tile('f16', 1, 128, 'scaling'))], targets=('a5',), more={'scale_shape': [('dst', Tile('f16', 1, 256, 'scaling'))], 'scale_valid': [('dst', Tile('f16', 1, 128, 'scaling', valid=(1, 64)))]})
    return ops
