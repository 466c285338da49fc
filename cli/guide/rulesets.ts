/** Where a ruleset finds what it extends and the functions that it names. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseDocument } from '../../src/document/parse.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'
import type { RulesetLoader } from '../../src/lint/read-ruleset.ts'
import type { NamedFunction, OwnFunctions } from '../../src/lint/rule.ts'
import type { Invocation } from '../declare.ts'
import type { OnFailure } from './own-functions.ts'
import { readUrl } from '../input/document-source.ts'
import { isWebAddress } from '../../src/kernel/text.ts'

type Around = Pick<Invocation, 'cwd' | 'env' | 'signal' | 'globals'> & {
  /** Functions and rulesets in JavaScript are run. */
  readonly runsFunctions: boolean
  /** Called with each function that failed while it was run for a rule. */
  readonly onFailure: OnFailure
}

export const readQuietly = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null)

export const isScript = (path: string): boolean => /\.[cm]?[jt]s$/.test(path)
const isFolder = (path: string): Promise<boolean> =>
  stat(path)
    .then((it) => it.isDirectory())
    .catch(() => false)

const endings = ['', '.yaml', '.yml', '.json', '.js', '.mjs', '.cjs']
const names = [
  '.spectral.yaml',
  '.spectral.yml',
  '.spectral.json',
  '.spectral.js',
  'index.yaml',
  'index.js',
  'index.mjs',
  'index.cjs',
]

/** The file that one entry of "exports" means for those who load a ruleset (Node.js, "Packages: conditional exports"). */
function exported(entry: Json | undefined): string | null {
  if (typeof entry === 'string') return entry
  if (!isObject(entry)) return null
  for (const condition of ['node', 'require', 'import', 'default']) {
    const found = exported(entry[condition])
    if (found !== null) return found
  }
  return null
}

function mainFiles(described: Json): string[] {
  if (!isObject(described)) return []
  const { exports, main } = described
  const found = exported(isObject(exports) && exports['.'] !== undefined ? exports['.'] : exports)
  return [found, main].filter((it) => typeof it === 'string')
}

async function inFolder(folder: string): Promise<string | null> {
  const described = await readQuietly(join(folder, 'package.json'))
  const { value } = parseDocument(described ?? '{}', { source: 'package.json' })
  for (const name of [...mainFiles(value), ...names]) {
    const found = await asFile(join(folder, name))
    if (found !== null) return found
  }
  return null
}

async function asFile(place: string): Promise<string | null> {
  for (const ending of endings) if ((await stat(place + ending).catch(() => null))?.isFile()) return place + ending
  return null
}

/** A file or package that `name` means, seen from the file `from`: beside it, or in a node_modules of a folder above. */
export async function findRuleset(name: string, from: string): Promise<{ readonly path: string } | null> {
  const folder = dirname(from)
  const places = [resolve(folder, name)]
  if (!/^[./]/.test(name))
    for (let at = folder; ; at = dirname(at)) {
      places.push(join(at, 'node_modules', name))
      if (at === dirname(at)) break
    }
  for (const place of places) {
    const path = (await isFolder(place)) ? await inFolder(place) : await asFile(place)
    // A file that extends a package of its own name means the package.
    if (path !== null && path !== resolve(from)) return { path }
  }
  return null
}

/**
 * What a ruleset extends: a file beside it, a package's main file in the node_modules of a folder above, or an address;
 * what an address extends is beside it.
 */
export const loaderFor =
  ({ runsFunctions, onFailure, ...around }: Around): RulesetLoader =>
  async (name, from) => {
    if (isWebAddress(name) || isWebAddress(from)) {
      const url = isWebAddress(name) ? name : new URL(name, from).href
      if (isScript(new URL(url).pathname)) return { refused: `${url} is a JavaScript program, which is not downloaded` }
      return {
        document: parseDocument((await readUrl(url, around, isWebAddress(from) ? from : null)).text, { source: url }),
      }
    }
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name)) return null
    const found = await findRuleset(name, resolve(around.cwd, from))
    if (found === null) return null
    const { path } = found
    if (!isScript(path)) return { document: parseDocument((await readQuietly(path)) ?? '', { source: path }) }
    if (!runsFunctions) return { refused: `"${name}" is a JavaScript program; --allow-functions runs it` }
    const { importRuleset } = await import('./own-functions.ts')
    return importRuleset(path, { onFailure, cwd: around.cwd }).catch((error: unknown) => ({
      refused: `"${name}" cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
    }))
  }

/** The functions of its own that a ruleset names: run where the user allows it, else skipped with the reason. */
export const functionsFor =
  ({ cwd, runsFunctions, onFailure }: Around) =>
  async (wanted: readonly NamedFunction[], folder: string, from: string): Promise<OwnFunctions> => {
    const told = (name: string) => `the function "${name}" is a JavaScript program; --allow-functions runs it`
    if (!runsFunctions || isWebAddress(from)) return new Map(wanted.map(({ name }) => [name, told(name)]))
    const { importFunctions } = await import('./own-functions.ts')
    return importFunctions(wanted, folder, resolve(cwd, from), { onFailure, cwd })
  }
