/** Configurations of other tools in a folder. */
import { readdir } from 'node:fs/promises'
import type { Document } from '../../src/document/document.ts'
import { convertBuf } from '../../src/project-file/convert/buf.ts'
import type { Converted } from '../../src/project-file/convert/converted.ts'
import { convertOasdiff } from '../../src/project-file/convert/oasdiff.ts'
import { convertRedocly } from '../../src/project-file/convert/redocly.ts'
import { convertVacuum } from '../../src/project-file/convert/vacuum.ts'
import { rules } from '../../src/lint/rules.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { rulebookName } from '../diff/judging.ts'
import { readSettings } from '../input/documents.ts'

/** A configuration that was found. */
export interface Configuration extends Converted {
  readonly file: string
}

const withEndings = (names: readonly string[]): string[] =>
  names.flatMap((name) => ['yaml', 'yml', 'json'].map((ending) => `${name}.${ending}`))

const known = { hasRule: (id: string): boolean => Object.hasOwn(rules, id) }

type Convert = (document: Document, documents: readonly string[]) => Converted

// What comes later takes precedence where two of them set the same.
const tools: readonly { readonly names: readonly string[]; readonly convert: Convert }[] = [
  { names: ['buf.yaml'], convert: ({ value }, documents) => convertBuf(value, documents) },
  { names: withEndings(['.oasdiff', 'oasdiff']), convert: ({ value }) => convertOasdiff(value) },
  {
    names: withEndings(['redocly', '.redocly']).filter((it) => !it.endsWith('.json')),
    convert: ({ value }) => convertRedocly(value, known),
  },
  { names: withEndings(['vacuum.conf']), convert: ({ value }) => convertVacuum(value) },
]

/** Formats of configurations that are not read. */
const unread = ['.oasdiff.toml', 'oasdiff.toml', '.oasdiff.hcl', 'oasdiff.hcl', 'vacuum.conf.toml']

/**
 * Reads the configurations of other tools in a folder.
 * @param documents the documents of the folder, relative to it
 */
export async function readConfigurations(folder: string, documents: readonly string[]): Promise<Configuration[]> {
  const entries = new Set(await readdir(folder))
  const none = { settings: {}, apis: {}, done: [] } as const
  const found: Configuration[] = []
  for (const { names, convert } of tools) {
    const file = names.find((it) => entries.has(it))
    if (file === undefined) continue
    try {
      found.push({ file, ...convert(await readSettings(file, folder), documents) })
    } catch (thrown) {
      if (!(thrown instanceof SvcError)) throw thrown
      found.push({ file, ...none, left: [`it cannot be read: ${thrown.message}`] })
    }
  }
  for (const file of unread)
    if (entries.has(file))
      found.push({ file, ...none, left: ['svc reads YAML and JSON; write the settings into svc.yaml'] })
  for (const file of ['.redocly.lint-ignore.yaml', '.redocly.lint-ignore.yml'])
    if (entries.has(file))
      found.push({
        file,
        ...none,
        left: ['write the known findings with "svc lint --write-baseline FILE" and set baseline'],
      })
  if (entries.has(rulebookName))
    found.push({ file: rulebookName, settings: { diff: rulebookName }, apis: {}, done: ['is referred to'], left: [] })
  return found
}
