import type { Document, Problem } from '../../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { parseFragment } from '../../kernel/pointer.ts'
import { schemaDraft } from '../../document/format.ts'
import { componentNames } from '../convert/component-names.ts'
import { embedSchema } from '../convert/json-schema.ts'
import { classDocument, projectName, readInfo } from '../naming.ts'
import { Notes } from '../notes.ts'
import type { ImportFormat } from '../spec.ts'

interface Tool {
  readonly name: string
  readonly path: Path
  readonly node: JsonObject
}

const listTools = (content: JsonObject): Tool[] =>
  Array.isArray(content.tools)
    ? (content.tools as readonly Json[]).flatMap((node, index) =>
        isObject(node) && typeof node.name === 'string' ? [{ name: node.name, path: ['tools', index], node }] : [],
      )
    : []

// The arguments and the result of each tool are its named schemas: "search.input", "search.output".
const readClasses = (tools: readonly Tool[], notes: Notes): Record<string, Json> => {
  const safe = componentNames(tools.map(({ name }) => name))
  const found = tools.flatMap(({ name, node }) =>
    (['inputSchema', 'outputSchema'] as const).flatMap((key): [string, Json][] => {
      const schema = node[key]
      if (!isObject(schema)) return []
      const className = `${safe.get(name) ?? name}.${key === 'inputSchema' ? 'input' : 'output'}`
      const move = (ref: string): Path | null => {
        const path = ref === '#' ? [] : ref.startsWith('#/') ? parseFragment(ref) : null
        return path === null ? null : ['components', 'schemas', className, ...path]
      }
      return [[className, embedSchema(schema, move, notes, schemaDraft(schema.$schema))]]
    }),
  )
  return Object.fromEntries(found)
}

const check = (document: Document, content: JsonObject, tools: readonly Tool[]): Problem[] => {
  const problems: Problem[] = []
  const report = (code: string, message: string, path: Path) =>
    problems.push({ code, severity: 'error', message, path, range: document.locate(path) })
  if (tools.length === 0 && typeof content.name !== 'string')
    report('structure-missing', 'A server descriptor requires "name", and a list of tools at least one tool.', [])
  const seen = new Set<string>()
  for (const { name, path, node } of tools) {
    if (seen.has(name)) report('structure-repeated', `Duplicate tool name "${name}".`, [...path, 'name'])
    seen.add(name)
    for (const key of ['inputSchema', 'outputSchema'] as const) {
      const schema = node[key]
      if (schema !== undefined && !(isObject(schema) && schema.type === 'object'))
        report('structure-type', `"${key}" must be a schema of type "object".`, [...path, key])
    }
  }
  return problems
}

const mcp: ImportFormat = {
  id: 'mcp',
  summary: 'MCP server descriptors, bundle manifests and lists of tools',
  detect: (document) => (document.format?.kind === 'mcp' ? 1 : 0),
  read: (document, content, options) => {
    const notes = new Notes(document)
    const detail = isObject(content.version_detail) ? content.version_detail : {}
    const server = isObject(content.serverInfo) ? content.serverInfo : {}
    const info = readInfo(document, {
      title: content.title ?? content.display_name ?? server.title ?? content.name ?? server.name ?? '',
      version: content.version ?? detail.version ?? server.version ?? '',
      description: content.description ?? content.instructions ?? '',
    })
    const tools = listTools(content)
    const version = options.version ?? (info.version || '1.0.0')
    const name = projectName(document, content, info.title, options)
    const classes = readClasses(tools, notes)
    return {
      format: document.format ?? { kind: 'mcp', version: 'manifest' },
      name,
      version,
      title: info.title || name,
      description: info.description,
      content,
      openapi: classDocument(info.title || name, version, info.description, classes),
      arazzo: null,
      classes,
      operations: [],
      problems: check(document, content, tools),
      unresolved: [],
      warnings: notes.warnings,
    }
  },
}

export default mcp
