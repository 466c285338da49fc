import { assertKebab, camel, insertInBlock, readIfThere, words, type Plan } from './plan.ts'

const formatText = (id: string): string => `import { isObject } from '../../kernel/json.ts'
import { projectName, readInfo } from '../naming.ts'
import { listOperations } from '../operations.ts'
import type { ImportFormat } from '../spec.ts'
import { classesOf } from './openapi.ts'

const ${camel(id)}: ImportFormat = {
  id: '${id}',
  summary: '${words(id)} documents, JSON or YAML',
  detect: ({ value }) => (isObject(value) && Object.hasOwn(value, '${id}') ? 1 : 0),
  read: (document, content, options) => {
    const { title, version, description } = readInfo(document, content.info)
    const label = options.version ?? (version || '0.0.0')
    // Say here what the document means, as OpenAPI 3.1.
    const openapi = { openapi: '3.1.0', info: { title, version: label }, paths: {} }
    return {
      format: { kind: 'openapi', version: '3.1' },
      name: projectName(document, content, title, options),
      version: label,
      title,
      description,
      content,
      openapi,
      arazzo: null,
      classes: classesOf(openapi),
      operations: listOperations(openapi),
      problems: [],
      unresolved: [],
      warnings: [],
    }
  },
}

export default ${camel(id)}
`

const rowText = (id: string): string => `    ${id === camel(id) ? id : `'${id}'`}: command({
      summary: 'Import ${words(id)} documents, JSON or YAML',
      examples: ['svc import ${id} api.yaml', 'svc import ${id} api.yaml --dry-run'],
      ...pathImport,
      options: documentOptions,
      run: async (invocation) => (await importing()).importPath('${id}', invocation),
    }),`

const testText = (id: string): string => `import { expect, test } from 'bun:test'
import { parseDocument } from '../../../../src/document/parse.ts'
import { importDocument } from '../../../../src/import/importer.ts'

test('a ${id} document is recognized, and becomes operations', () => {
  // Replace it by the smallest document that has an operation.
  const text = '{ ${id}: "1.0", info: { title: Pets, version: 1.2.0 } }'
  const { spec } = importDocument(parseDocument(text, { source: 'api.yaml' }), 'auto')
  expect({ name: spec?.name, version: spec?.version, operations: spec?.operations.map(({ ref }) => ref) }).toEqual({
    name: 'Pets',
    version: '1.2.0',
    operations: ['GET /pets'],
  })
})
`

/** An import format and its command; documents of the format are recognized by `detect`. */
export const newImportFormat = (root: string, id: string): Plan => {
  assertKebab(id)
  const commands = 'commands/import/index.ts'
  return {
    created: {
      [`src/import/formats/${id}.ts`]: formatText(id),
      [`test/src/import/formats/${id}.test.ts`]: testText(id),
    },
    changed: {
      [commands]: insertInBlock(readIfThere(root, commands) ?? '', /^ {2}commands: \{/, rowText(id), commands),
    },
    next: ['npm run gen', `npm test -- test/src/import/formats/${id}.test.ts`],
  }
}
