import type { Json } from '../../../../src/kernel/json.ts'

/** Instances of one type: what is valid, and what is not. */
export type Instances = readonly [ref: string, valid: readonly Json[], invalid: readonly Json[]]

/** Instances of the standard types that are texts. */
export const texts: readonly Instances[] = [
  [
    'rfc3339/DateTime',
    ['2026-05-05T12:00:00Z', '2024-02-29T23:59:59.5+02:00', '1985-04-12t23:20:50.52z'],
    ['2026-05-05', '2026-13-05T12:00:00Z', '2026-05-05T12:00:00', 5],
  ],
  [
    'rfc3339/FullDate',
    ['2026-05-05', '2024-02-29', '0001-01-01'],
    ['2026-5-5', '2025-02-29', '2026-05-05T00:00:00Z', '20260505'],
  ],
  ['rfc3339/PartialTime', ['12:00:00', '23:59:60', '00:00:00.123'], ['24:00:00', '12:00', '12:00:00Z']],
  ['rfc3339/Duration', ['P1D', 'PT36H', 'P1Y2M3DT4H5M6S', 'P2W'], ['P', 'PT', '1D', 'P1.5D', 'P1DT']],
  ['iso8601/Duration', ['PT0.5S', 'P1Y', 'P1,5W'], ['P', 'PT', 'P1S', '-P1D']],
  [
    'iso8601/Interval',
    ['2026-01-01T00:00:00Z/2026-02-01T00:00:00Z', '2026-01-01T00:00:00Z/P1D', 'PT1H/2026-01-01T00:00:00+01:00'],
    ['2026-01-01T00:00:00Z', 'P1D/P2D', '2026-01-01/2026-02-01'],
  ],
  [
    'iana/TimeZone',
    ['Europe/Rome', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'],
    ['europe/rome', 'Rome time', 'Europe/', '+02:00'],
  ],
  [
    'rfc3986/Uri',
    ['https://example.com/a?b#c', 'urn:isbn:0451450523', 'mailto:a@example.com'],
    ['/relative', 'https://exa mple.com', 'https://example.com/<a>', ''],
  ],
  ['rfc3986/UriReference', ['../a/b', '#part', 'https://example.com', ''], ['a b', '<a>', 'http://[::1', 7]],
  [
    'rfc6570/UriTemplate',
    ['/users/{id}', 'https://example.com{?q,lang}', '/plain', '{+path}/here'],
    ['/users/{id', '/users/id}', '/users/{}'],
  ],
  ['rfc6901/JsonPointer', ['', '/a/b', '/a~1b/~0', '/'], ['a/b', '/a~2', '#/a']],
  [
    'rfc9562/Uuid',
    [
      'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
      '00000000-0000-0000-0000-000000000000',
      'F81D4FAE-7DEC-7000-8000-00A0C91E6BF6',
    ],
    [
      'f81d4fae7dec11d0a76500a0c91e6bf6',
      'g81d4fae-7dec-11d0-a765-00a0c91e6bf6',
      '{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}',
    ],
  ],
  [
    'rfc5321/Mailbox',
    ['a@example.com', 'first.last+tag@sub.example.org', "o'neil@example.com"],
    ['a', '@example.com', 'a@', 'a b@example.com'],
  ],
  ['rfc1123/Hostname', ['example.com', '3com.net', 'localhost'], ['-a.example', 'a_b.example', 'a..b', 'a'.repeat(64)]],
  ['ip/Ipv4', ['127.0.0.1', '255.255.255.255', '0.0.0.0'], ['256.0.0.1', '1.2.3', '1.2.3.4.5', '01.2.3.4']],
  ['ip/Ipv6', ['::1', '2001:db8::8a2e:370:7334', '::ffff:192.0.2.1'], ['1::2::3', 'g::1', '127.0.0.1', ':']],
  ['ip/Cidr', ['10.0.0.0/8', '2001:db8::/32', '0.0.0.0/0'], ['10.0.0.0', '10.0.0.0/33', '2001:db8::/129', '10.0.0/8']],
  ['bcp47/LanguageTag', ['en', 'de-CH', 'zh-Hant-TW', 'sl-rozaj-biske', 'en-x-own'], ['e', 'en_US', 'en-', '']],
  ['iso639/Language', ['en', 'de', 'zu'], ['EN', 'eng', 'xx']],
  [
    'rfc6838/MediaType',
    ['application/json', 'text/html; charset=utf-8', 'application/vnd.api+json; ext="a b"'],
    ['json', 'text/', 'text/html charset', '/json'],
  ],
  ['rfc9110/ETag', ['"abc"', 'W/"1"', '""'], ['abc', 'w/"1"', '"a"b"', "'a'"]],
  ['rfc9110/Method', ['GET', 'PATCH', 'M-SEARCH'], ['', 'GET POST', 'GET\n']],
  ['rfc9110/Status', [200, 404, 599], [99, 600, '200', 200.5]],
  [
    'rfc8141/Urn',
    ['urn:isbn:0451450523', 'URN:example:a/b', 'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
    ['isbn:0451450523', 'urn:x', 'urn:-a:b', 'urn:a b:c'],
  ],
  ['semver/Version', ['1.0.0', '1.2.3-alpha.1+build.5', '0.0.0-0'], ['1.0', 'v1.0.0', '01.0.0', '1.0.0-01']],
  ['itu/E164', ['+14155552671', '+390612345678', '+999'], ['14155552671', '+0123', '+1 415', '+1234567890123456']],
  ['iso4217/CurrencyCode', ['EUR', 'JPY', 'XAU'], ['eur', 'EURO', 'DEM', 978]],
  ['iso3166/Alpha2', ['IT', 'US', 'ZW'], ['it', 'ITA', 'XX', 'UK']],
  ['iso3166/Alpha3', ['ITA', 'USA', 'ZWE'], ['IT', 'ita', 'XYZ']],
  ['iso3166/Subdivision', ['US-CA', 'IT-62', 'GB-ENG'], ['CA', 'USCA', 'XX-1', 'US-CALI']],
  [
    'iso13616/Iban',
    ['DE89370400440532013000', 'GB29NWBK60161331926819', 'NO9386011117947'],
    ['DE8937', 'de89370400440532013000', 'DE89 3704 0044 0532 0130 00', 'DE01370400440532013000'],
  ],
  ['iso9362/Bic', ['DEUTDEFF', 'DEUTDEFF500', 'NEDSZAJJXXX'], ['DEUTDE', 'DEUT1EFF', 'DEUTDEFF50']],
  [
    'iso17442/Lei',
    ['5493001KJTIIGC8Y1R12', '213800WSGIIZCXF1P572', '529900T8BM49AURSDO55'],
    ['5493001KJTIIGC8Y1R1', '5493001kjtiigc8y1r12', '5493001KJTIIGC8Y1RAB'],
  ],
  [
    'gs1/Gtin',
    ['96385074', '4006381333931', '10614141000415'],
    ['963850', '123456789', '400638133393A', 4006381333931],
  ],
]
