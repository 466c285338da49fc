import { ChangeShape, FindingShape } from '../src/api/shapes.ts'
import { catalogue, SvcError } from '../src/errors.ts'
import { projectFileSchema } from '../src/project-file/schema.ts'
import { suggest } from '../src/kernel/suggest.ts'
import { command, type Command } from '../cli/declare.ts'
import { presentName } from '../cli/former-names.ts'

const errorSchema = {
  description: 'Null where nothing failed.',
  anyOf: [
    { type: 'null' },
    {
      type: 'object',
      required: ['code', 'message', 'hint', 'docs', 'requestId', 'retryable'],
      properties: {
        code: { enum: Object.keys(catalogue), description: '"svc explain CODE" says more' },
        message: { type: 'string' },
        hint: { type: 'string' },
        docs: { type: 'string', description: 'the command that explains the code' },
        requestId: { type: ['string', 'null'], description: 'the request of the service that failed' },
        retryable: { type: 'boolean', description: 'the same command may succeed later' },
      },
    },
  ],
}

const list = (items: object): object => ({ type: 'array', items })

/** The JSON Schema (2020-12) of what a command prints with --json. */
export const envelopeSchema = (name: string, entry: Command): object => {
  const kind = entry.envelope ?? 'data'
  const data = entry.dataSchema === undefined ? true : { anyOf: [entry.dataSchema, { type: 'null' }] }
  const contents = { findings: list(FindingShape), changes: list(ChangeShape), data }
  const content = contents[kind]
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `svc ${name} --json`,
    description: 'Fields are only ever added within one schemaVersion. A failure before any result has data: null.',
    type: 'object',
    required: ['schemaVersion', 'command', 'ok', 'exitCode', 'summary', 'error'],
    properties: {
      schemaVersion: { const: 1 },
      command: { const: name },
      ok: { type: 'boolean', description: 'the exit code is 0' },
      exitCode: { enum: [0, 1, 2, 3, 4, 5, 6, 7, 70, 130] },
      summary: { type: ['object', 'null'] },
      [kind]: content,
      ...(kind === 'data' ? {} : { data: true }),
      error: errorSchema,
    },
    // A command that failed before it looked at anything has no list.
    anyOf: [{ required: [kind] }, { required: ['data'] }],
  }
}

const projectFile = 'project-file'

export default command({
  summary: 'Print the JSON Schema of the --json output of a command, or of svc.yaml',
  examples: ['svc schema lint', 'svc schema import openapi', 'svc schema project-file > svc.schema.json'],
  arguments: [
    {
      name: 'command',
      required: true,
      variadic: true,
      summary: 'the command, such as "import openapi"; project-file for svc.yaml',
    },
  ],
  options: {},
  run: async ({ args, registry }) => {
    const name = presentName(args.command.join(' '))
    if (name === projectFile) {
      const schema = projectFileSchema()
      return { data: schema, text: `${JSON.stringify(schema, null, 2)}\n` }
    }
    const it = await registry[name]?.load?.()
    if (!it) {
      const runnable = [...Object.keys(registry).filter((key) => registry[key]?.load), projectFile]
      const near = suggest(name, runnable)
      const meant = near === null ? '; "svc --help" lists the commands' : `; did you mean "${near}"?`
      throw new SvcError('usage', { reason: `Unknown command "svc ${name}"${meant}` })
    }
    const schema = envelopeSchema(name, it)
    return { data: schema, text: `${JSON.stringify(schema, null, 2)}\n` }
  },
})
