/** From the variable of an engine to the field as exceptions name it. Names come from requests too: what may be a value is left out. */
import { isPlainName } from './shape.ts'

const collections: ReadonlyMap<string, 'query' | 'header' | 'cookie' | 'body'> = new Map([
  ['args', 'query'],
  ['args_get', 'query'],
  ['args_post', 'body'],
  ['request_headers', 'header'],
  ['request_cookies', 'cookie'],
])
/** Parts of a request that are not a single field: wholes, and those whose value is a name that the client chose. */
const parts = new Set(
  `args_get_names args_names args_post_names files files_names full_request multipart_filename multipart_part_headers path_info
  query_string request_basename request_body request_cookies_names request_filename request_headers_names request_line
  request_method request_protocol request_uri request_uri_raw response_body response_headers response_status xml`.split(
    /\s+/,
  ),
)
/** What an engine computes: the value says nothing of a field. */
const computed = new Set(
  `args_combined_size duration files_combined_size files_sizes geo multipart_strict_error remote_addr reqbody_error
  reqbody_processor request_body_length server_name tx unique_id`.split(/\s+/),
)

/** Whether a name is one of an engine's variables: what follows "found within" can be text of a client. */
export function isVariable(variable: string): boolean {
  const [collection = ''] = bare(variable).toLowerCase().split(':', 1)
  return collections.has(collection) || parts.has(collection) || computed.has(collection)
}

/** Whether the value of a variable is a part of the request. */
export const isPart = (variable: string): boolean =>
  !computed.has((bare(variable).toLowerCase().split(':', 1)[0] ?? '').replace(/^&/, ''))

/** Chains name what their first rule matched: "MATCHED_VARS:ARGS:q". */
const bare = (variable: string): string => variable.replace(/^MATCHED_VARS?(?:_NAMES?)?:/i, '')

/** The segments of the argument of a JSON body, places in lists as "*": Coraza writes "items.0", ModSecurity "items.array_0". */
function jsonPointer(name: string): string | null {
  const told = name
    .split('.')
    .slice(0, 32)
    .map((it) => (!/^array_\d+$/.test(it) && isPlainName(it) ? it : '*'))
  return told.every((it) => it === '*') ? null : `json:/${told.join('/')}`
}

/** Well-known names of headers, which have digits or turns: they say nothing of a client. */
const headerName = /^(?:x-[a-z-]{1,40}|sec-[a-z-]{1,40}|[a-z]{1,20}(?:-[a-z]{1,20}){0,4}|content-md5)$/

/**
 * The field that a variable names.
 * @param variable as the engine writes it: "ARGS:q", "REQUEST_HEADERS:User-Agent", "ARGS:json.items.0.note"
 * @returns "query:q", "header:user-agent", "json:/items/*\/note" (a property that may be a value is "*"); null: no field that can be named
 */
export function fieldOf(variable: string): string | null {
  const [collection = '', ...rest] = bare(variable).split(':')
  const kind = collections.get(collection.toLowerCase())
  const name = rest.join(':')
  if (kind === undefined || name === '') return null
  if (kind === 'query' && name.startsWith('json.')) return jsonPointer(name.slice(5))
  if (kind === 'header') return headerName.test(name.toLowerCase()) ? `header:${name.toLowerCase()}` : null
  return isPlainName(name) ? `${kind}:${name}` : null
}
