/** Tasks for agents on real documents: what is asked, when it is done, and a solution that a script gives. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type Json, type JsonObject, listOf } from '../../src/kernel/json.ts'
import { getPath, parsePointer } from '../../src/kernel/pointer.ts'
import { type Target, targetIn } from './target.ts'

/** A file beside the description, for what is moved out of it: a JSON Schema that only names others. */
export const partsFile = 'parts.json'
export const emptyParts = { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: {} } as const

/** An edit as the tool takes it. */
export interface TaskEdit {
  /** The file beside the description that it edits; the description where it is left out. */
  readonly file?: typeof partsFile
  readonly path: string
  readonly value?: Json
}

/** What an agent left behind. */
export interface Outcome {
  readonly before: JsonObject
  readonly after: JsonObject
  /** The file of parts as it is now. */
  readonly parts: JsonObject
  /** What the agent said last. */
  readonly answer: string
}

/** One task. */
export interface Task {
  readonly id: string
  readonly document: string
  readonly ask: string
  /** What is missing, in words; null where the task is done. */
  missing(outcome: Outcome): string | null
  /** What a script does: edits of the file, and what it says. */
  readonly solution: { readonly edits: readonly TaskEdit[]; readonly answer: string }
}

const root = join(import.meta.dir, '../..')
const packages = join(root, 'node_modules')

/** Five descriptions of the npm packages that the tests use anyway. */
const documents = [
  '@readme/oas-examples/3.0/json/petstore.json',
  '@readme/oas-examples/3.0/json/response-schemas.json',
  '@readme/oas-examples/3.0/json/uspto.json',
  '@readme/oas-examples/3.0/json/readme-legacy.json',
  '@readme/oas-examples/3.0/json/link-example.json',
]

const at = (value: JsonObject, pointer: string): Json | undefined => getPath(value, parsePointer(pointer) ?? [])
const schemaAt = ({ schema }: Target): string =>
  `/components/schemas/${schema.replaceAll('~', '~0').replaceAll('/', '~1')}`
const answerAt = ({ at: operation, status }: Target): string => `${operation}/responses/${status}`

interface Kind {
  readonly id: string
  ask(target: Target): string
  missing(target: Target, outcome: Outcome): string | null
  solve(target: Target): Task['solution']
}

const done = (isDone: boolean, what: string): string | null => (isDone ? null : what)

const addField: Kind = {
  id: 'add-field',
  ask: ({ schema }) =>
    `Add an optional property "external_reference" to the schema "${schema}": a text of at most 64 characters.`,
  missing(target, { after }) {
    const schema = at(after, schemaAt(target))
    const made = isObject(schema) && isObject(schema.properties) ? schema.properties.external_reference : undefined
    const isRight = isObject(made) && made.type === 'string' && made.maxLength === 64
    const isOptional = isObject(schema) && !listOf(schema.required).includes('external_reference')
    return done(isRight && isOptional, 'the optional property external_reference')
  },
  solve: (target) => ({
    edits: [{ path: `${schemaAt(target)}/properties/external_reference`, value: { type: 'string', maxLength: 64 } }],
    answer: 'Added.',
  }),
}

const parametersOf = (after: JsonObject, { at: operation }: Target): readonly Json[] =>
  listOf(at(after, `${operation}/parameters`))

const page = [
  {
    name: 'page_cursor',
    in: 'query',
    required: false,
    description: 'Where the next page begins.',
    schema: { type: 'string' },
  },
  {
    name: 'page_size',
    in: 'query',
    required: false,
    description: 'So many at most.',
    schema: { type: 'integer', minimum: 1, maximum: 200 },
  },
]

const paginate: Kind = {
  id: 'paginate',
  ask: ({ operation }) =>
    `Let clients page through ${operation}: add the optional query parameters "page_cursor" (a text) and "page_size" (an integer from 1 to 200), both described.`,
  missing(target, { after }) {
    const all = parametersOf(after, target).filter(isObject)
    const has = (name: string, type: string): boolean =>
      all.some((parameter) => {
        const { schema, description, required } = parameter
        const isSought = parameter.name === name && parameter.in === 'query' && required !== true
        return isSought && isObject(schema) && schema.type === type && typeof description === 'string'
      })
    return done(has('page_cursor', 'string') && has('page_size', 'integer'), 'both parameters')
  },
  solve(target) {
    const isThere = Array.isArray(at(target.value, `${target.at}/parameters`))
    const path = `${target.at}/parameters`
    return {
      edits: isThere ? page.map((value) => ({ path: `${path}/-`, value })) : [{ path, value: page }],
      answer: 'Added both.',
    }
  },
}

const deprecate: Kind = {
  id: 'deprecate',
  ask: ({ operation }) =>
    `Deprecate ${operation}. Clients keep working; its description says "Deprecated: use the next version." at its end.`,
  missing({ at: operation }, { after }) {
    const found = at(after, operation)
    const isRight =
      isObject(found) &&
      found.deprecated === true &&
      String(found.description).endsWith('Deprecated: use the next version.')
    return done(isRight, 'deprecated: true and the sentence')
  },
  solve({ at: operation, value }) {
    const found = at(value, operation)
    const before = isObject(found) && typeof found.description === 'string' ? `${found.description} ` : ''
    return {
      edits: [
        { path: `${operation}/deprecated`, value: true },
        { path: `${operation}/description`, value: `${before}Deprecated: use the next version.` },
      ],
      answer: 'Deprecated.',
    }
  },
}

/** Places that have no description yet: properties of named schemas. */
function bareProperties({ value }: Target): string[] {
  const schemas = at(value, '/components/schemas')
  return Object.entries(isObject(schemas) ? schemas : {}).flatMap(([name, schema]) =>
    Object.entries(isObject(schema) && isObject(schema.properties) ? schema.properties : {})
      .filter(([, it]) => isObject(it) && it.$ref === undefined && it.description === undefined)
      .map(([key]) => `/components/schemas/${name}/properties/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

const mostDescribed = 20

const describe: Kind = {
  id: 'describe',
  ask: (target) =>
    `Describe ${Math.min(mostDescribed, bareProperties(target).length)} properties of named schemas that have no description.`,
  missing(target, { after }) {
    const described = bareProperties(target).filter((it) => typeof at(after, `${it}/description`) === 'string')
    return done(
      described.length >= Math.min(mostDescribed, bareProperties(target).length),
      `only ${described.length} are described`,
    )
  },
  solve: (target) => ({
    edits: bareProperties(target)
      .slice(0, mostDescribed)
      .map((it) => ({ path: `${it}/description`, value: `The ${it.split('/').at(-1)?.replaceAll('_', ' ')}.` })),
    answer: 'Described.',
  }),
}

const problem = {
  description: 'The request is wrong.',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        required: ['title'],
        properties: { title: { type: 'string' }, status: { type: 'integer' } },
      },
      example: { title: 'The request is wrong.', status: 400 },
    },
  },
}

const errors: Kind = {
  id: 'errors',
  ask: ({ operation }) =>
    `Describe what ${operation} answers to wrong requests: a "4XX" response of application/problem+json with a schema and an example.`,
  missing({ at: operation }, { after }) {
    const media = at(after, `${operation}/responses/4XX/content/application~1problem+json`)
    return done(isObject(media) && isObject(media.schema) && media.example !== undefined, 'the 4XX response')
  },
  solve: ({ at: operation }) => ({
    edits: [{ path: `${operation}/responses/4XX`, value: problem }],
    answer: 'Described.',
  }),
}

const extract: Kind = {
  id: 'extract',
  ask: ({ operation, status }) =>
    `Move the ${status} response of ${operation} to components.responses as "SharedAnswer", and refer to it. Nothing may change for clients.`,
  missing(target, { after, before }) {
    const written = at(after, answerAt(target))
    const moved = at(after, '/components/responses/SharedAnswer')
    const isRight =
      isObject(written) &&
      written.$ref === '#/components/responses/SharedAnswer' &&
      JSON.stringify(moved) === JSON.stringify(at(before, answerAt(target)))
    return done(isRight, 'the response in components.responses')
  },
  solve(target) {
    const answer = at(target.value, answerAt(target)) as Json
    const isThere = isObject(at(target.value, '/components/responses') ?? null)
    return {
      edits: [
        isThere
          ? { path: '/components/responses/SharedAnswer', value: answer }
          : { path: '/components/responses', value: { SharedAnswer: answer } },
        { path: answerAt(target), value: { $ref: '#/components/responses/SharedAnswer' } },
      ],
      answer: 'Moved.',
    }
  },
}

/** The name of the description among its files. */
export const rootFile = 'openapi.json'

/** A schema as another file writes it: what it refers to stays in the description. */
const asPart = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(asPart)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => {
      const isLocal = key === '$ref' && typeof it === 'string' && it.startsWith('#')
      return [key, isLocal ? `${rootFile}${it}` : asPart(it)]
    }),
  )
}

const split: Kind = {
  id: 'split',
  ask: ({ schema }) =>
    `Split the description: move the schema "${schema}" to the file ${partsFile}, below "$defs" under the same name. In components.schemas of ${rootFile} only a reference to it remains. Nothing may change for clients.`,
  missing({ schema }, { after, before, parts }) {
    const at =
      isObject(after.components) && isObject(after.components.schemas) ? after.components.schemas[schema] : null
    const ref = isObject(at ?? null) ? (at as JsonObject).$ref : undefined
    const moved = isObject(parts.$defs) ? parts.$defs[schema] : undefined
    const old =
      isObject(before.components) && isObject(before.components.schemas) ? before.components.schemas[schema] : null
    const isRight =
      ref === `${partsFile}#/$defs/${schema}` && JSON.stringify(moved) === JSON.stringify(asPart(old ?? null))
    return done(isRight, `the schema in ${partsFile}`)
  },
  solve(target) {
    const { schema } = target
    const name = schema.replaceAll('~', '~0').replaceAll('/', '~1')
    return {
      edits: [
        { file: partsFile, path: `/$defs/${name}`, value: asPart(at(target.value, schemaAt(target)) as Json) },
        { path: schemaAt(target), value: { $ref: `${partsFile}#/$defs/${name}` } },
      ],
      answer: 'Split.',
    }
  },
}

const findings: Kind = {
  id: 'fix-findings',
  ask: ({ operation }) =>
    `Fix the finding "operation-summary" or "operation-description" of ${operation}: give it a summary and a description of its own, of at least 20 characters each.`,
  missing({ at: operation, value }, { after }) {
    const [old, found] = [at(value, operation), at(after, operation)]
    if (!isObject(found) || !isObject(old)) return 'the operation'
    const isNew = (key: 'summary' | 'description'): boolean => {
      const text = found[key]
      return typeof text === 'string' && text.length >= 20 && text !== old[key]
    }
    return done(isNew('summary') && isNew('description'), 'a new summary and description')
  },
  solve: ({ at: operation, operation: name }) => ({
    edits: [
      { path: `${operation}/summary`, value: `Read what ${name} has to answer` },
      { path: `${operation}/description`, value: `Answers what ${name} finds, and an error where nothing is found.` },
    ],
    answer: 'Fixed.',
  }),
}

const consumer: Kind = {
  id: 'answer-consumer',
  ask: ({ schema, property }) =>
    `A team reads the property "${property}" of "${schema}". Change nothing. Would the removal of that property be breaking? Answer with one word, "breaking" or "safe", and an operation that is affected, as "GET /path".`,
  missing(_, { after, before, answer }) {
    if (JSON.stringify(after) !== JSON.stringify(before)) return 'the file was changed'
    const names = /\b(?:GET|PUT|POST|DELETE|PATCH) \/\S*/.exec(answer)?.[0] ?? ''
    const isOperation = Object.keys(isObject(before.paths) ? before.paths : {}).some((path) =>
      names.endsWith(` ${path}`),
    )
    return done(/\bbreaking\b/i.test(answer) && isOperation, '"breaking" with an operation')
  },
  solve: ({ operation }) => ({ edits: [], answer: `breaking, for example ${operation}` }),
}

const kinds = [addField, paginate, deprecate, describe, errors, extract, split, findings, consumer]

/** All tasks: nine kinds on five documents. */
export function readTasks(): Task[] {
  return documents.flatMap((document) => {
    const value = JSON.parse(readFileSync(join(packages, document), 'utf8')) as JsonObject
    const target = targetIn(document, value)
    const name = document
      .replace(/^@readme\/oas-examples\//, '')
      .replace('/json/', '-')
      .replace('.json', '')
    return kinds.map((kind): Task => {
      return {
        id: `${kind.id}-${name}`,
        document: join(packages, document),
        ask: kind.ask(target),
        missing: (outcome) => kind.missing(target, outcome),
        solution: kind.solve(target),
      }
    })
  })
}
