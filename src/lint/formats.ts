import type { Json, Path } from '../document/json.ts'

type Complain = (code: string, message: string, path: Path) => void

/** Format names of rulesets, and ours for them; empty for formats that svc does not lint. */
const named: Readonly<Record<string, string>> = {
  oas2: 'oas2',
  oas3: 'oas3',
  'oas3.0': 'oas3_0',
  'oas3.1': 'oas3_1',
  'oas3.2': 'oas3_2',
  'arazzo1.0': 'arazzo1_0',
  'json-schema': 'json-schema',
  'json-schema-loose': 'json-schema',
  mcp: 'mcp',
  aas2: '',
  'aas2.0': '',
  'aas2.1': '',
  'aas2.2': '',
  'aas2.3': '',
  'aas2.4': '',
  'aas2.5': '',
  'aas2.6': '',
  aas3: '',
  'aas3.0': '',
  'json-schema-draft4': 'json-schema',
  'json-schema-draft6': 'json-schema',
  'json-schema-draft7': 'json-schema',
  'json-schema-2019-09': 'json-schema',
  'json-schema-2020-12': 'json-schema',
  'json-schema-draft-2019-09': 'json-schema',
  'json-schema-draft-2020-12': 'json-schema',
}

/** Reads a list of formats; unknown names are told and match no document. */
export function readFormats(value: Json, path: Path, complain: Complain): readonly string[] {
  if (!Array.isArray(value)) {
    complain('invalid-format', '"formats" must be a list of names.', path)
    return []
  }
  return (value as readonly Json[]).map((it, index) => {
    const plain = String(it)
      .replaceAll('_', '.')
      .replace(/^arazzo1$/, 'arazzo1.0')
    const found = Object.hasOwn(named, plain)
      ? named[plain]
      : Object.hasOwn(named, String(it))
        ? named[String(it)]
        : undefined
    if (found === undefined) complain('invalid-format', `There is no format "${String(it)}".`, [...path, index])
    return found ?? ''
  })
}
