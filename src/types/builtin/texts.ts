import { countryCodes, countryCodes3, currencyCodes, languageCodes } from './codes.ts'
import { family, type BuiltinDeclaration } from './declare.ts'

const r = String.raw

const time = family('rfc3339', 'time', 'ietf', 'time')
const iso8601 = family('iso8601', 'time', 'iso', 'time')
const uri = family('rfc3986', 'identifier', 'ietf', 'uri')
const ip = family('ip', 'network', 'ietf', 'network')
const iso3166 = family('iso3166', 'geography', 'iso', 'country')
const http = family('rfc9110', 'http', 'ietf', 'http')

const month = '(?:0[1-9]|1[0-2])'
const day = '(?:0[1-9]|[12][0-9]|3[01])'
const clock = r`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?`
const zone = r`(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`
const date = r`\d{4}-${month}-${day}`
// A duration has at least one element; weeks are written alone (RFC 3339, appendix A).
const duration = r`P(?:\d+W|(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)`
const fractional = r`P(?:\d+(?:[.,]\d+)?W|(?=[\dT])(?:\d+(?:[.,]\d+)?Y)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?D)?(?:T(?=\d)(?:\d+(?:[.,]\d+)?H)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?S)?)?)`
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const ipv4 = r`(?:${octet}\.){3}${octet}`

const text = (pattern: string, more: Readonly<Record<string, string | number>> = {}) => ({
  type: 'string',
  pattern: `^${pattern}$`,
  ...more,
})

/** Types of standards that are texts. */
export const textTypes: readonly BuiltinDeclaration[] = [
  time(
    'DateTime',
    'A date with time and offset, by RFC 3339 section 5.6.',
    text(`${date}[Tt ]${clock}${zone}`, { format: 'date-time' }),
  ),
  time('FullDate', 'A calendar date, by RFC 3339 section 5.6.', text(date, { format: 'date' })),
  time('PartialTime', 'A time of day without an offset, by RFC 3339 section 5.6.', text(clock)),
  time('Duration', 'A duration in whole numbers, by RFC 3339 appendix A.', text(duration, { format: 'duration' })),
  iso8601('Duration', 'A duration whose numbers may have fractions, by ISO 8601-1.', text(fractional)),
  iso8601(
    'Interval',
    'A time interval by two instants, or by one and a duration, by ISO 8601-1 section 5.5.',
    text(`(?:${date}T${clock}${zone}/(?:${date}T${clock}${zone}|${duration})|${duration}/${date}T${clock}${zone})`),
  ),
  family(
    'iana',
    'time',
    'iana',
    'time',
  )(
    'TimeZone',
    'The name of a zone of the IANA time zone database, such as Europe/Rome.',
    text(r`(?:UTC|GMT|[A-Z][A-Za-z0-9_+-]*(?:/[A-Z][A-Za-z0-9_+-]*){1,2})`, { maxLength: 64 }),
  ),
  uri('Uri', 'An absolute URI, by RFC 3986.', text(r`[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^\x60]*`, { format: 'uri' })),
  uri(
    'UriReference',
    'A URI or a relative reference, by RFC 3986 section 4.1.',
    text(r`[^\s<>"{}|\\^\x60]*`, { format: 'uri-reference' }),
  ),
  family(
    'rfc6570',
    'identifier',
    'ietf',
    'uri',
  )('UriTemplate', 'A template of URIs with expressions in braces, by RFC 6570.', {
    type: 'string',
    format: 'uri-template',
    pattern: r`^(?:[^{}\s]|\{[^{}\s]+\})*$`,
  }),
  family(
    'rfc6901',
    'json',
    'ietf',
    'json',
  )('JsonPointer', 'A JSON Pointer, by RFC 6901.', text('(?:/(?:[^~/]|~0|~1)*)*', { format: 'json-pointer' })),
  family(
    'rfc9562',
    'identifier',
    'ietf',
    'uuid',
  )(
    'Uuid',
    'A UUID in its text form, by RFC 9562.',
    text('[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}', { format: 'uuid' }),
  ),
  family(
    'rfc5321',
    'contact',
    'ietf',
    'email',
  )(
    'Mailbox',
    'An address for electronic mail with a domain name, by RFC 5321 section 4.1.2.',
    text(r`[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]+)*@[A-Za-z0-9.-]+`, {
      format: 'email',
      maxLength: 254,
    }),
  ),
  family(
    'rfc1123',
    'network',
    'ietf',
    'network',
  )(
    'Hostname',
    'The name of a host, by RFC 1123 section 2.1.',
    text(
      r`(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*`,
      {
        format: 'hostname',
      },
    ),
  ),
  ip('Ipv4', 'An IPv4 address in dotted decimals, by RFC 791 and RFC 6943.', text(ipv4, { format: 'ipv4' })),
  ip('Ipv6', 'An IPv6 address, by RFC 4291 section 2.2.', text('[0-9A-Fa-f:.]{2,45}', { format: 'ipv6' })),
  ip(
    'Cidr',
    'A block of IPv4 or IPv6 addresses with the length of its prefix, by RFC 4632 and RFC 4291.',
    text(r`(?:${ipv4}/(?:3[0-2]|[12]?[0-9])|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9]))`),
  ),
  family(
    'bcp47',
    'language',
    'ietf',
    'language',
  )(
    'LanguageTag',
    'A language tag with script, region and variants, by BCP 47 (RFC 5646).',
    text(
      '(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*(?:-[xX](?:-[A-Za-z0-9]{1,8})+)?',
    ),
  ),
  family(
    'iso639',
    'language',
    'iso',
    'language',
  )('Language', 'A language by two letters, by ISO 639-1.', {
    type: 'string',
    enum: languageCodes,
  }),
  family(
    'rfc6838',
    'http',
    'ietf',
    'media-type',
  )(
    'MediaType',
    'A media type with its parameters, by RFC 6838 and RFC 9110 section 8.3.1.',
    text(
      r`[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}(?:\s*;\s*[A-Za-z0-9!#$&^_.+-]+=(?:[A-Za-z0-9!#$%&'*+.^_\x60|~-]+|"(?:[^"\\]|\\.)*"))*`,
    ),
  ),
  http('ETag', 'An entity tag, weak or strong, by RFC 9110 section 8.8.3.', text(r`(?:W/)?"[!\x23-\x7e\x80-\xff]*"`)),
  http(
    'Method',
    'A request method, by RFC 9110 section 9.',
    text(r`[!#$%&'*+.^_\x60|~0-9A-Za-z-]+`, { maxLength: 64 }),
  ),
  http('Status', 'A status code, by RFC 9110 section 15.', { type: 'integer', minimum: 100, maximum: 599 }),
  family(
    'rfc8141',
    'identifier',
    'ietf',
    'urn',
  )(
    'Urn',
    'A URN, by RFC 8141.',
    text(
      r`[Uu][Rr][Nn]:[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]:[A-Za-z0-9()+,.:=@;$_!*'%/&~-]+(?:\?[+=][^#\s]*)*(?:#\S*)?`,
    ),
  ),
  family('semver', 'identifier', 'version')(
    'Version',
    'A version, by Semantic Versioning 2.0.0.',
    text(
      r`(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?`,
    ),
  ),
  family(
    'itu',
    'contact',
    'itu',
    'telephone',
  )('E164', 'A telephone number with "+", by ITU-T E.164.', text(r`\+[1-9]\d{1,14}`)),
  family(
    'iso4217',
    'money',
    'iso',
    'currency',
  )('CurrencyCode', 'A currency by three letters, by ISO 4217.', {
    type: 'string',
    enum: currencyCodes,
  }),
  iso3166('Alpha2', 'A country by two letters, by ISO 3166-1.', { type: 'string', enum: countryCodes }),
  iso3166('Alpha3', 'A country by three letters, by ISO 3166-1.', { type: 'string', enum: countryCodes3 }),
  iso3166('Subdivision', 'A part of a country, by ISO 3166-2.', text(`(?:${countryCodes.join('|')})-[A-Z0-9]{1,3}`)),
  family(
    'iso13616',
    'money',
    'iso',
    'bank',
  )(
    'Iban',
    'An account number in its electronic form, by ISO 13616; its check digits are not verified.',
    text('[A-Z]{2}(?:0[2-9]|[1-8][0-9]|9[0-8])[A-Z0-9]{11,30}'),
  ),
  family(
    'iso9362',
    'money',
    'iso',
    'bank',
  )('Bic', 'A business identifier code, by ISO 9362.', text('[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?')),
  family(
    'iso17442',
    'identifier',
    'iso',
    'organization',
  )('Lei', 'A legal entity identifier, by ISO 17442; its check digits are not verified.', text('[A-Z0-9]{18}[0-9]{2}')),
  family(
    'gs1',
    'identifier',
    'gs1',
    'product',
  )(
    'Gtin',
    'A trade item number of 8, 12, 13 or 14 digits, by GS1; its check digit is not verified.',
    text(r`(?:\d{8}|\d{12,14})`),
  ),
]
