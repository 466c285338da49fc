import { isCalendarDate } from '../../kernel/calendar-date.ts'
import { compareNumbers, isInteger, isNumeric, numericOfText } from '../../document/exact.ts'
import type { Numeric } from '../../document/exact.ts'
import type { Json } from '../../kernel/json.ts'

type Check = (text: string) => boolean

const timeParts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:(z)|([+-])(\d\d)(?::?(\d\d))?)?$/i

const isTime =
  (zoneRequired: boolean): Check =>
  (text) => {
    const parts = timeParts.exec(text)
    if (parts === null) return false
    const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
    const [zoneHour, zoneMinute] = [Number(parts[6] ?? 0), Number(parts[7] ?? 0)]
    if (zoneRequired && parts[4] === undefined && parts[5] === undefined) return false
    if (zoneHour > 23 || zoneMinute > 59) return false
    if (hour <= 23 && minute <= 59 && second < 60) return true
    // A leap second happens at 23:59:60 UTC (RFC 3339, appendix D).
    const sign = parts[5] === '-' ? -1 : 1
    const utc = (hour * 60 + minute - sign * (zoneHour * 60 + zoneMinute) + 2880) % 1440
    return second === 60 && hour <= 23 && minute <= 59 && utc === 1439
  }

const isDateTime: Check = (text) =>
  /^.{10}[t\s]/i.test(text) && isCalendarDate(text.slice(0, 10)) && isTime(true)(text.slice(11))

const ipv4Part = '(?:25[0-5]|2[0-4]\\d|[01]?\\d\\d?)'
const ipv4 = new RegExp(`^(?:${ipv4Part}\\.){3}${ipv4Part}$`)

const isIpv6: Check = (text) => {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const tail = text.slice(text.lastIndexOf(':') + 1)
  const embedded = tail.includes('.')
  if (embedded && !ipv4.test(tail)) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const plain = embedded ? groups.slice(0, -1) : groups
  if (!plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false
  const count = plain.length + (embedded ? 2 : 0)
  return halves.length === 2 ? count <= 7 : count === 8
}

// The productions of RFC 3986, appendix A.
const pct = '%[0-9a-f]{2}'
const unit = `(?:[a-z0-9\\-._~!$&'()*+,;=]|${pct})`
const pchar = `(?:[a-z0-9\\-._~!$&'()*+,;=:@]|${pct})`
const rest = `(?:\\?(?:[a-z0-9\\-._~!$&'()*+,;=:@/?]|${pct})*)?(?:#(?:[a-z0-9\\-._~!$&'()*+,;=:@/?]|${pct})*)?`
const authority = `(?:(?:[a-z0-9\\-._~!$&'()*+,;=:]|${pct})*@)?(?:\\[[0-9a-f:.v]+\\]|${unit}*)(?::\\d*)?`
const hierarchy = `(?://${authority}(?:/${pchar}*)*|/(?:${pchar}+(?:/${pchar}*)*)?|${pchar}+(?:/${pchar}*)*)?`
const scheme = '[a-z][a-z0-9+\\-.]*:'
const uri = new RegExp(`^${scheme}${hierarchy}${rest}$`, 'i')
const uriReference = new RegExp(`^(?:${scheme})?${hierarchy}${rest}$`, 'i')

const isRegex: Check = (text) => {
  // \Z is of other dialects; ECMA-262 would read it as the letter.
  if (/[^\\]\\Z/.test(text)) return false
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text)

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['date', isCalendarDate],
  ['time', isTime(false)],
  ['date-time', isDateTime],
  ['duration', matches(/^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)$/)],
  ['uri', (text) => /[/:]/.test(text) && uri.test(text)],
  ['uri-reference', matches(uriReference)],
  [
    'uri-template',
    matches(
      /^(?:[^\p{Cc} "'<>%\\^`{|}]|%[0-9a-f]{2}|\{[+#./;?&=,!@|]?(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9]\d{0,3}|\*)?(?:,(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9]\d{0,3}|\*)?)*\})*$/iu,
    ),
  ],
  ['email', matches(new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, 'i'))],
  ['hostname', (text) => text.length <= 254 && new RegExp(`^${label}(?:\\.${label})*\\.?$`, 'i').test(text)],
  ['ipv4', matches(ipv4)],
  ['ipv6', isIpv6],
  ['regex', isRegex],
  ['uuid', matches(/^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i)],
  ['json-pointer', matches(/^(?:\/(?:[^~/]|~0|~1)*)*$/)],
  ['json-pointer-uri-fragment', matches(/^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i)],
  ['relative-json-pointer', matches(/^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/)],
  ['byte', matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)],
])

/** The formats of integers with their bounds. */
export const integerFormats: Readonly<Record<'int32' | 'int64', { readonly low: Numeric; readonly high: Numeric }>> = {
  int32: { low: -2147483648, high: 2147483647 },
  int64: { low: numericOfText('-9223372036854775808')!, high: numericOfText('9223372036854775807')! },
}

/**
 * Whether a value fits a `format` of JSON Schema or OpenAPI. A format constrains values of one type only, and an unknown
 * format constrains nothing: both answer true.
 */
export function fitsFormat(format: string, value: Json): boolean {
  if (typeof value === 'string') return checks.get(format)?.(value) ?? true
  if (!isNumeric(value) || (format !== 'int32' && format !== 'int64')) return true
  // Most numbers are doubles of a size that needs no decimals.
  if (Number.isSafeInteger(value)) return format === 'int64' || (value | 0) === value
  const { low, high } = integerFormats[format]
  return isInteger(value) && compareNumbers(value, low) >= 0 && compareNumbers(value, high) <= 0
}
