import { gatewayCoverageApi } from '../../src/api/gateway-events.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { command } from '../../cli/declare.ts'
import { additionOf, coverageText } from '../../cli/gateway/coverage.ts'
import { environmentArgument, securityCall } from '../../cli/gateway/command-parts.ts'

export default command({
  summary: 'Show operations that were never called, and calls to operations that no document declares',
  description:
    'With --add, a draft of the document is made that has these operations too. It says where they were seen, and that nothing else is known of them.',
  examples: [
    'svc gateway coverage production --days 7',
    'svc gateway coverage production --add "GET /toys/{id}" --label 1.1.0',
  ],
  arguments: [environmentArgument],
  options: {
    days: { type: 'integer', placeholder: 'N', default: 30, summary: 'how many days to look back, up to 90' },
    all: { type: 'boolean', summary: 'also list operations that were called' },
    add: {
      type: 'string',
      multiple: true,
      placeholder: 'OPERATION',
      summary: 'add what was called to a draft, as "GET /toys/{id}" (repeatable)',
    },
    'add-all': { type: 'boolean', summary: 'add everything that was called and is not declared' },
    project: {
      type: 'string',
      placeholder: 'PROJECT',
      summary: 'which document, where several are behind the gateway',
    },
    label: { type: 'string', placeholder: 'LABEL', summary: 'of the draft (default: the next minor version)' },
  },
  dataSchema: gatewayCoverageApi.coverage.response,
  async run({ args, options, connection }) {
    const { days, all, add, project, label } = options
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment }
    const found = await call(gatewayCoverageApi.coverage, { params, query: { ...query, days } })
    if (add.length === 0 && !options['add-all']) return { data: found, text: coverageText(found, all) }
    const operations = options['add-all']
      ? found.undeclared
          .filter(({ kind, method }) => kind !== 'outside' && method !== 'OTHER')
          .map(({ method, path }) => ({ method, path }))
      : add.map(additionOf)
    if (operations.length === 0)
      throw new SvcError('usage', { reason: 'Nothing was called that the document does not declare' })
    const body = {
      operations,
      days,
      ...(project === undefined ? {} : { project }),
      ...(label === undefined ? {} : { label }),
    }
    const made = await call(gatewayCoverageApi.draftCoverage, { params, query, body })
    const { project_slug: slug, label: draft } = made.version
    const lines = made.added.map((it) => `  ${it}\n`).join('')
    const text = `Draft ${draft} of ${slug}, from ${made.from}, with ${plural(made.added.length, 'more operation')}:\n${lines}`
    return { data: { ...found, draft: made }, text }
  },
})
