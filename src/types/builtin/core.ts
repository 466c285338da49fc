import type { JsonObject } from '../../kernel/json.ts'
import { family, filled, object, text, uri, type BuiltinDeclaration } from './declare.ts'

const core = family('core', 'building-block', 'core')

const instant: JsonObject = { $ref: 'svc:rfc3339/DateTime' }
const count: JsonObject = { type: 'integer', minimum: 0 }
const decimal: JsonObject = { type: 'string', pattern: String.raw`^-?(?:0|[1-9]\d*)(?:\.\d+)?$` }

const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })

/** The building blocks of svc. */
export const coreTypes: readonly BuiltinDeclaration[] = [
  core(
    'Money',
    'An amount in a currency. The amount is a decimal text, so that no digit is lost.',
    object(['amount', 'currency'], {
      amount: decimal,
      currency: { $ref: 'svc:iso4217/CurrencyCode' },
    }),
  ),
  core('Percentage', 'A share in percent: 12.5 is 12.5 %.', { type: 'number', minimum: 0, maximum: 100 }),
  core(
    'Address',
    'A postal address.',
    object(['country'], {
      lines: { type: 'array', minItems: 1, maxItems: 5, items: filled },
      postal_code: text,
      city: text,
      subdivision: { $ref: 'svc:iso3166/Subdivision' },
      country: { $ref: 'svc:iso3166/Alpha2' },
    }),
  ),
  core(
    'PersonName',
    'The name of a person, as a whole and in its parts.',
    object(['full'], {
      full: filled,
      given: text,
      family: text,
      prefix: text,
      suffix: text,
    }),
  ),
  core(
    'Contact',
    'Ways to reach a person or an organization; one at least.',
    object(
      [],
      {
        name: text,
        email: { $ref: 'svc:rfc5321/Mailbox' },
        phone: { $ref: 'svc:itu/E164' },
        url: uri,
      },
      { anyOf: [{ required: ['email'] }, { required: ['phone'] }, { required: ['url'] }] },
    ),
  ),
  core(
    'DateRange',
    'Days from a first to a last one; without an end it is open.',
    object(['start'], {
      start: { $ref: 'svc:rfc3339/FullDate' },
      end: { anyOf: [{ $ref: 'svc:rfc3339/FullDate' }, { type: 'null' }] },
    }),
  ),
  core(
    'TimeRange',
    'The time from an instant up to another one, which is not part of it.',
    object(['start'], {
      start: instant,
      end: { anyOf: [instant, { type: 'null' }] },
    }),
  ),
  core(
    'Actor',
    'Who did something: a user, a key or a system.',
    object(['type', 'id'], {
      type: { enum: ['user', 'service', 'key', 'system'] },
      id: filled,
      name: text,
    }),
  ),
  core(
    'AuditStamps',
    'When something was created and changed, and by which actor.',
    object(['created_at'], {
      created_at: instant,
      created_by: { $ref: 'svc:core/Actor' },
      updated_at: instant,
      updated_by: { $ref: 'svc:core/Actor' },
    }),
  ),
  core('Metadata', 'Texts by name, for what clients want to remember.', {
    type: 'object',
    maxProperties: 50,
    propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,64}$' },
    additionalProperties: { type: 'string', maxLength: 500 },
  }),
  core('LocalizedText', 'A text by language tag.', {
    type: 'object',
    minProperties: 1,
    propertyNames: { $ref: 'svc:bcp47/LanguageTag' },
    additionalProperties: text,
  }),
  core(
    'Checksum',
    'The digest of bytes, in hexadecimal digits.',
    object(['algorithm', 'value'], {
      algorithm: { enum: ['sha-256', 'sha-384', 'sha-512', 'md5', 'crc32'] },
      value: { type: 'string', pattern: '^[0-9a-f]{8,128}$' },
    }),
  ),
  core(
    'FileReference',
    'A file that can be fetched.',
    object(['url'], {
      url: uri,
      name: text,
      media_type: { $ref: 'svc:rfc6838/MediaType' },
      size_bytes: count,
      checksum: { $ref: 'svc:core/Checksum' },
      expires_at: instant,
    }),
  ),
  core(
    'Quantity',
    'A decimal number with its unit, as UCUM writes units.',
    object(['value', 'unit'], { value: decimal, unit: filled }),
  ),
  core(
    'OffsetPage',
    'The place of a page in a list: how many items are left out and how many are shown.',
    object(['total', 'limit', 'offset'], {
      total: count,
      limit: { type: 'integer', minimum: 1 },
      offset: count,
    }),
  ),
  core(
    'CursorPage',
    'The cursors to the next and the previous page; null where there is none.',
    object(['next_cursor'], {
      next_cursor: { type: ['string', 'null'] },
      previous_cursor: { type: ['string', 'null'] },
      limit: { type: 'integer', minimum: 1 },
    }),
  ),
  core('Links', 'Addresses by relation.', {
    type: 'object',
    additionalProperties: { anyOf: [{ $ref: 'svc:rfc3986/UriReference' }, { $ref: '#/$defs/link' }] },
    $defs: { link: object(['href'], { href: { $ref: 'svc:rfc3986/UriReference' }, title: text }) },
  }),
  core('SortOrder', 'The properties to sort by, the most important one first; "-" before a name reverses its order.', {
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: { type: 'string', pattern: String.raw`^-?[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$` },
  }),
  core('FieldMask', 'The properties that a request is about, as paths with dots and commas between them.', {
    type: 'string',
    pattern: String.raw`^(?:\*|[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*(?:,[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)*)$`,
  }),
  core(
    'Operation',
    'Work that continues after its request: done with a response or an error, in the shape of AIP-151.',
    object(
      ['name', 'done'],
      {
        name: filled,
        metadata: { type: 'object' },
        done: { type: 'boolean' },
        error: { $ref: 'svc:rfc9457/Problem' },
        response: { type: 'object' },
      },
      {
        if: { properties: { done: { const: true } } },
        then: { oneOf: [{ required: ['error'] }, { required: ['response'] }] },
        else: { not: { anyOf: [{ required: ['error'] }, { required: ['response'] }] } },
      },
    ),
  ),
  core(
    'ValidationError',
    'What is wrong with one place of an input.',
    object(['pointer', 'message'], {
      pointer: { $ref: 'svc:rfc6901/JsonPointer' },
      code: filled,
      message: filled,
    }),
  ),
  core(
    'BatchResult',
    'What became of each item of a request for several.',
    object(['results'], {
      results: listOf(
        object(['index', 'status'], {
          index: count,
          status: { $ref: 'svc:rfc9110/Status' },
          id: text,
          error: { $ref: 'svc:rfc9457/Problem' },
        }),
      ),
      succeeded: count,
      failed: count,
    }),
  ),
  core('IdempotencyKey', 'A text that a client sends again when it repeats a request.', {
    type: 'string',
    minLength: 16,
    maxLength: 255,
    pattern: String.raw`^[\x21-\x7e]+$`,
  }),
  core(
    'HealthStatus',
    'Whether a service works, with what it depends on.',
    object(['status'], {
      status: { enum: ['pass', 'warn', 'fail'] },
      version: text,
      checks: {
        type: 'object',
        additionalProperties: object(['status'], { status: { enum: ['pass', 'warn', 'fail'] }, message: text }),
      },
    }),
  ),
  core(
    'RateLimit',
    'How many requests are left in a window of time.',
    object(['limit', 'remaining', 'reset_seconds'], {
      limit: count,
      remaining: count,
      reset_seconds: count,
      window_seconds: count,
    }),
  ),
  core(
    'WebhookEvent',
    'An event with its id, type, time and data.',
    object(['id', 'type', 'occurred_at', 'data'], {
      id: filled,
      type: { type: 'string', pattern: String.raw`^[a-z0-9_]+(?:\.[a-z0-9_]+)+$` },
      occurred_at: instant,
      sequence: count,
      data: { type: 'object' },
    }),
  ),
]
