const date = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const time = '[0-9]{2}:[0-5][0-9]:[0-9]{2}(\\.[0-9]+)?'
const zone = '([zZ]|[+-][0-9]{2}(:?[0-9]{2})?)'
const hex = '[0-9a-fA-F]'
const part = '([0-9]|[0-9][0-9]|[01][0-9][0-9]|2[0-4][0-9]|25[0-5])'
const pointer = '(/([^~/]|~[01])*)*'

/**
 * Patterns that every string of a format matches, by the name of the format; other strings can match them too. They prove that a
 * format and a pattern have no string in common.
 */
export const formatShapes: ReadonlyMap<string, string> = new Map([
  ['date', `^${date}$`],
  ['time', `^${time}${zone}?$`],
  ['date-time', `^${date}[tT\\s]${time}${zone}$`],
  ['duration', '^P([0-9]+[YMDWHS]|T[0-9]+[HMS])+$'],
  ['uri', '^[a-zA-Z][a-zA-Z0-9+.-]*:[!-~]*$'],
  ['uri-reference', '^[!-~]*$'],
  ['email', '^[!-?A-~]+@[0-9a-zA-Z.-]+$'],
  ['hostname', '^[0-9a-zA-Z.-]+$'],
  ['ipv4', `^${part}(\\.${part}){3}$`],
  ['ipv6', `^${hex.replace(']', ':.]')}+$`],
  ['uuid', `^([uU][rR][nN]:[uU][uU][iI][dD]:)?${hex}{8}-(${hex}{4}-){3}${hex}{12}$`],
  ['json-pointer', `^${pointer}$`],
  ['relative-json-pointer', `^(0|[1-9][0-9]*)(#|${pointer})$`],
  ['byte', '^[A-Za-z0-9+/]*={0,2}$'],
])
