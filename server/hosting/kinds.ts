/** What a file of a repository is, by its name and the beginning of its text. Documents are read by analyses, not here. */

/** The kinds that files are listed as. */
export const fileKinds = ['openapi', 'swagger', 'arazzo', 'json-schema', 'mcp', 'asyncapi'] as const
export type FileKind = (typeof fileKinds)[number]

const documentName = /\.(?:json|ya?ml)$/i

/** Files with these names are never documents that anyone imports. */
const otherNames =
  /^(?:package(?:-lock)?|npm-shrinkwrap|tsconfig[\w.-]*|jsconfig|composer|angular|lerna|turbo|nx|biome|deno|renovate|pnpm-lock|pnpm-workspace|docker-compose[\w.-]*|mkdocs|\.[\w.-]+)\.(?:json|ya?ml)$/i

const vendoredFolder =
  /(?:^|\/)(?:node_modules|vendor|vendored|third[_-]party|bower_components|\.venv|venv|site-packages|Pods|Carthage|dist|build|target|testdata\/vendor)\//i

/** Whether a file belongs to code of others, by the folder it is in. */
export const isVendored = (path: string): boolean => vendoredFolder.test(path)

/** Whether a file or a folder on the way to it begins with a dot. */
export const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'))

/** Whether the name allows a document of a kind that can be imported. */
export const mayBeDocument = (path: string): boolean =>
  documentName.test(path) && !otherNames.test(path.split('/').at(-1) ?? '')

/** How probable it is that a file is a document, by its name alone: what is most probable is looked at first. */
export function promiseOf(path: string): number {
  const name = path.split('/').at(-1) ?? ''
  if (/openapi|swagger|arazzo|asyncapi/i.test(name)) return 3
  if (/\.schema\.json$|^server\.json$|(?:^|[.-])api\b/i.test(name)) return 2
  return /(?:^|\/)(?:specs?|apis?|schemas?|openapi|swagger|contracts?)\//i.test(path) ? 2 : 1
}

/** How much of a file is looked at. */
export const lookedBytes = 64 * 1024

/** The text values of the properties at the top of a JSON text, as far as it is there. */
function jsonFacts(text: string): Map<string, string> {
  const facts = new Map<string, string>()
  let depth = 0
  let key: string | null = null
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1 && token === ',') key = null
    else if (depth === 1 && token.startsWith('"')) {
      if (key === null) {
        key = token.slice(1, -1)
        facts.set(key, '')
      } else facts.set(key, token.slice(1, -1))
    }
    if (depth === 1 && (token === '}' || token === ']')) key = null
  }
  return facts
}

/** The same of a YAML text in block style. */
function yamlFacts(text: string): Map<string, string> {
  const facts = new Map<string, string>()
  for (const [, key = '', value = ''] of text.matchAll(
    /^(?:"([^"\n]+)"|'[^'\n]+'|\$?[\w-]+)[ \t]*:(?:[ \t]+(.*))?$/gm,
  )) {
    if (key !== '') facts.set(key, value.trim())
  }
  for (const [, key = '', value = ''] of text.matchAll(/^(\$?[\w-]+)[ \t]*:(?:[ \t]+(.*))?$/gm))
    facts.set(
      key,
      value
        .trim()
        .replace(/[ \t]+#.*$/, '')
        .replaceAll(/^["']|["']$/g, ''),
    )
  return facts
}

/** The pointer that Git LFS keeps in place of a large file. */
export const isLfsPointer = (text: string): boolean => text.startsWith('version https://git-lfs.github.com/spec/')

/** What a text is, by its first 64 KiB; null for anything else. */
export function kindOf(path: string, text: string): FileKind | null {
  const start = text.slice(0, lookedBytes).trimStart()
  const facts = start.startsWith('{') ? jsonFacts(start) : yamlFacts(start)
  const value = (name: string): string | undefined => facts.get(name)
  if (/^3\.[012](?:\.|$)/.test(value('openapi') ?? '')) return 'openapi'
  if (/^2(?:\.0)?$/.test(value('swagger') ?? '')) return 'swagger'
  if (value('arazzo')?.startsWith('1.') === true) return 'arazzo'
  if (value('asyncapi') !== undefined) return 'asyncapi'
  const schema = value('$schema') ?? ''
  if (/modelcontextprotocol/i.test(schema)) return 'mcp'
  if (/json-schema\.org/i.test(schema) || (/\.schema\.(?:json|ya?ml)$/i.test(path) && facts.has('type')))
    return 'json-schema'
  const isServer = /(?:^|\/)server\.json$/i.test(path) && facts.has('name')
  return isServer && (facts.has('remotes') || facts.has('packages')) ? 'mcp' : null
}
