/** The APIs of a repository: its documents with names for them. */
import { dirname } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import type { Document } from '../../src/document/document.ts'
import { formatName } from '../../src/kernel/format-names.ts'
import { isObject } from '../../src/kernel/json.ts'
import type { Invocation } from '../declare.ts'
import { readDocument } from '../input/documents.ts'
import { expandTargets } from '../lint/targets.ts'

/** A document that is an API. */
export interface FoundApi {
  readonly name: string
  /** Relative to the folder, with "/". */
  readonly root: string
  /** "OpenAPI 3.1". */
  readonly format: string
}

/** What was found in a folder. */
export interface Discovery {
  readonly apis: readonly FoundApi[]
  /** Documents that were not taken, with the reason. */
  readonly left: readonly { readonly file: string; readonly reason: string }[]
}

/** Formats that a folder is searched for. */
const kinds: readonly string[] = ['openapi', 'swagger', 'arazzo', 'mcp']

const testFolders = /(?:^|\/)(?:tests?|__tests__|fixtures?|testdata|examples?|samples?)\//i
const generic =
  /^(?:open-?api|swagger|api|apis|spec|specs|specification|docs?|index|main|root|schema|arazzo|mcp|server|src|definitions?|public|v\d+(?:\.\d+)*)$/i

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')

/** A name for a document: what its path says beside words that every API has, else its title. */
function nameOf(root: string, { value }: Document): string {
  const steps = root.replace(/\.(?:ya?ml|json)$/i, '').split('/')
  const file = (steps.pop() ?? '').replaceAll(/[._-]?(?:openapi|swagger|arazzo|api|spec)[._-]?/gi, ' ').trim()
  const own = slugOf(file)
  if (own !== '' && !generic.test(own)) return own
  const folder = steps.findLast((it) => !generic.test(it))
  if (folder !== undefined && slugOf(folder) !== '') return slugOf(folder)
  const info = isObject(value) ? value.info : null
  const title = isObject(info) && typeof info.title === 'string' ? slugOf(info.title) : ''
  return title === '' ? 'api' : title
}

// What describes an interface itself is what its name means; workflows and tools are about it.
const isInterface = ({ format }: FoundApi): boolean => /^(?:OpenAPI|Swagger)/.test(format)

/** The same names, with their kinds or numbers where several are alike. */
function unique(apis: readonly FoundApi[]): FoundApi[] {
  const names = new Map<FoundApi, string>()
  const taken = new Set<string>()
  for (const it of [...apis.filter(isInterface), ...apis.filter((one) => !isInterface(one))]) {
    const [kind = ''] = it.format.toLowerCase().split(' ')
    let name = it.name
    if (taken.has(name) && !isInterface(it)) name = `${it.name}-${kind}`
    for (let at = 2; taken.has(name); at++) name = `${it.name}-${at}`
    taken.add(name)
    names.set(it, name)
  }
  return apis.map((it) => ({ ...it, name: names.get(it) ?? it.name }))
}

/** Finds the API descriptions of a folder and of those in it. Documents that cannot be read are among those that were not taken. */
export async function discover(invocation: Pick<Invocation, 'cwd' | 'io'>): Promise<Discovery> {
  const { files, skipped } = await expandTargets(['.'], invocation).catch((thrown: unknown) => {
    // A folder without documents.
    if (thrown instanceof SvcError && thrown.code === 'usage') return { files: [], skipped: [] }
    throw thrown
  })
  const apis: FoundApi[] = []
  const left = skipped.map(({ file, reason }) => ({ file, reason: `it cannot be read: ${reason}` }))
  for (const file of files) {
    const root = file.replaceAll('\\', '/')
    const document = await readDocument(file, invocation)
    const { format } = document
    const kind = format !== null && kinds.includes(format.kind) ? formatName(format.kind) : undefined
    if (testFolders.test(`${dirname(root)}/`))
      left.push({ file: root, reason: 'it is in a folder of tests or examples' })
    else if (kind !== undefined && format !== null)
      apis.push({
        name: nameOf(root, document),
        root,
        format: /^\d/.test(format.version) ? `${kind} ${format.version}` : kind,
      })
    else if (format === null) left.push({ file: root, reason: 'it cannot be read; "svc lint" says why' })
    else left.push({ file: root, reason: 'it is a JSON Schema' })
  }
  return { apis: unique(apis), left }
}
