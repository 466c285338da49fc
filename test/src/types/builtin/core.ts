import type { Instances } from './texts.ts'

const at = '2026-05-05T12:00:00Z'
const money = { amount: '12.50', currency: 'EUR' }

/** Instances of the building blocks. */
export const core: readonly Instances[] = [
  [
    'core/Money',
    [money, { amount: '-0.001', currency: 'JPY' }, { amount: '0', currency: 'USD' }],
    [
      { amount: 12.5, currency: 'EUR' },
      { amount: '012', currency: 'EUR' },
      { amount: '1', currency: 'EURO' },
      { amount: '1' },
    ],
  ],
  ['core/Percentage', [0, 12.5, 100], [-1, 100.1, '50']],
  [
    'core/Address',
    [
      { country: 'IT' },
      { lines: ['Via Roma 1'], postal_code: '00100', city: 'Roma', country: 'IT' },
      { country: 'US', subdivision: 'US-CA' },
    ],
    [{}, { country: 'Italy' }, { country: 'IT', lines: [] }],
  ],
  [
    'core/PersonName',
    [{ full: 'Ada Lovelace' }, { full: 'Ada', given: 'Ada' }, { full: 'A B', given: 'A', family: 'B', suffix: 'Jr.' }],
    [{}, { full: '' }, { given: 'Ada' }],
  ],
  [
    'core/Contact',
    [{ email: 'a@example.com' }, { phone: '+14155552671', name: 'x' }, { url: 'https://example.com' }],
    [{}, { name: 'x' }, { email: 'a' }],
  ],
  [
    'core/DateRange',
    [{ start: '2026-01-01' }, { start: '2026-01-01', end: '2026-01-31' }, { start: '2026-01-01', end: null }],
    [{}, { end: '2026-01-01' }, { start: at }],
  ],
  [
    'core/TimeRange',
    [{ start: at }, { start: at, end: at }, { start: at, end: null }],
    [{}, { start: '2026-01-01' }, { start: at, end: 5 }],
  ],
  [
    'core/Actor',
    [
      { type: 'user', id: '1' },
      { type: 'key', id: 'k', name: 'CI' },
      { type: 'system', id: 'sweep' },
    ],
    [{}, { type: 'robot', id: '1' }, { type: 'user', id: '' }],
  ],
  [
    'core/AuditStamps',
    [{ created_at: at }, { created_at: at, created_by: { type: 'user', id: '1' } }, { created_at: at, updated_at: at }],
    [{}, { created_at: 'now' }, { created_at: at, created_by: 'me' }],
  ],
  ['core/Metadata', [{}, { team: 'a' }, { 'a.b-c_d': '' }], [{ a: 1 }, { 'a b': 'x' }, []]],
  [
    'core/LocalizedText',
    [{ en: 'Hello' }, { de: 'Hallo', 'de-CH': 'Grüezi' }, { 'zh-Hant': '你好' }],
    [{}, { en: 1 }, { english_us: 'x' }],
  ],
  [
    'core/Checksum',
    [
      { algorithm: 'crc32', value: 'deadbeef' },
      { algorithm: 'md5', value: 'd41d8cd98f00b204e9800998ecf8427e' },
      { algorithm: 'sha-256', value: 'a'.repeat(64) },
    ],
    [{ algorithm: 'sha1', value: 'a'.repeat(40) }, { algorithm: 'md5', value: 'XYZ' }, { value: 'a' }],
  ],
  [
    'core/FileReference',
    [
      { url: 'https://example.com/a' },
      { url: 'https://example.com/a', size_bytes: 0 },
      { url: 'file:///a', media_type: 'text/plain' },
    ],
    [{}, { url: 'a' }, { url: 'https://example.com', size_bytes: -1 }],
  ],
  [
    'core/Quantity',
    [
      { value: '1.5', unit: 'kg' },
      { value: '0', unit: '1' },
      { value: '-3', unit: 'Cel' },
    ],
    [{ value: 1.5, unit: 'kg' }, { value: '1.5' }, { value: '1,5', unit: 'kg' }],
  ],
  [
    'core/OffsetPage',
    [
      { total: 0, limit: 50, offset: 0 },
      { total: 7, limit: 1, offset: 6 },
      { total: 7, limit: 1, offset: 6, items: [] },
    ],
    [
      { total: 1, limit: 0, offset: 0 },
      { total: -1, limit: 1, offset: 0 },
      { limit: 1, offset: 0 },
    ],
  ],
  [
    'core/CursorPage',
    [{ next_cursor: null }, { next_cursor: 'abc' }, { next_cursor: 'a', previous_cursor: null, limit: 10 }],
    [{}, { next_cursor: 5 }, { next_cursor: null, limit: 0 }],
  ],
  [
    'core/Links',
    [{}, { self: '/a' }, { next: { href: '/b', title: 'Next' } }],
    [[], { self: 1 }, { next: { title: 'x' } }],
  ],
  ['core/SortOrder', [['name'], ['-created_at', 'name'], ['a.b']], [[], ['name', 'name'], ['--a'], 'name']],
  ['core/FieldMask', ['name', 'a.b,c', '*'], ['', 'a,', 'a b', '.a']],
  [
    'core/Operation',
    [
      { name: 'op/1', done: false },
      { name: 'op/1', done: true, response: {} },
      { name: 'op/1', done: true, error: { title: 'x' } },
    ],
    [{ name: 'op/1' }, { name: 'op/1', done: true }, { name: 'op/1', done: false, response: {} }],
  ],
  [
    'core/ValidationError',
    [
      { pointer: '/a', message: 'x' },
      { pointer: '', message: 'x', code: 'y' },
      { pointer: '/a/0', message: 'z' },
    ],
    [{ message: 'x' }, { pointer: 'a', message: 'x' }, { pointer: '/a', message: '' }],
  ],
  [
    'core/BatchResult',
    [
      { results: [] },
      { results: [{ index: 0, status: 201 }], succeeded: 1 },
      { results: [{ index: 0, status: 409, error: { title: 'x' } }] },
    ],
    [{}, { results: [{ index: 0 }] }, { results: [{ index: -1, status: 200 }] }],
  ],
  [
    'core/IdempotencyKey',
    ['0123456789abcdef', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'x'.repeat(255)],
    ['short', 'with a space in it', 'x'.repeat(256)],
  ],
  [
    'core/HealthStatus',
    [
      { status: 'pass' },
      { status: 'warn', checks: { database: { status: 'warn' } } },
      { status: 'fail', version: '1' },
    ],
    [{}, { status: 'ok' }, { status: 'pass', checks: { a: 'pass' } }],
  ],
  [
    'core/RateLimit',
    [
      { limit: 100, remaining: 99, reset_seconds: 60 },
      { limit: 0, remaining: 0, reset_seconds: 0 },
      { limit: 1, remaining: 1, reset_seconds: 1, window_seconds: 1 },
    ],
    [{}, { limit: 1, remaining: -1, reset_seconds: 1 }, { limit: '1', remaining: 1, reset_seconds: 1 }],
  ],
  [
    'core/WebhookEvent',
    [
      { id: '1', type: 'user.created', occurred_at: at, data: {} },
      { id: '1', type: 'a.b.c', occurred_at: at, data: { x: 1 }, sequence: 0 },
      { id: 'x', type: 'a1.b_2', occurred_at: at, data: {} },
    ],
    [
      { id: '1', type: 'user', occurred_at: at, data: {} },
      { id: '1', type: 'a.b', occurred_at: 'now', data: {} },
      { id: '', type: 'a.b', occurred_at: at, data: {} },
    ],
  ],
]
