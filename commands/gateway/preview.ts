import { gatewayPositiveApi } from '../../src/api/gateway-positive.ts'
import { tierIds } from '../../src/gateway-policy/door.ts'
import { command } from '../../cli/declare.ts'
import { narrowingText } from '../../cli/gateway/positive.ts'
import { previewedChange } from '../../cli/gateway/preview.ts'
import { environmentArgument, previewText, securityCall } from '../../cli/gateway/command-parts.ts'

export default command({
  summary: 'Show the effect of several policy changes on recorded requests; stores nothing',
  description:
    'A file has the changes as JSON: {presets, managedGroups, rules, exceptions, removeExceptions, positive}, each as its own operation takes it. Options are added to it.',
  examples: [
    'svc gateway preview production --tier strict --group php=off',
    'svc gateway preview production change.json',
  ],
  arguments: [
    environmentArgument,
    { name: 'file', required: false, summary: 'file with the changes, "-" is standard input' },
  ],
  options: {
    tier: { type: 'string', placeholder: 'TIER', choices: tierIds, summary: 'how strict the managed groups are' },
    paranoia: { type: 'integer', placeholder: '1-4', summary: 'blocking level, if not that of the tier' },
    threshold: { type: 'integer', placeholder: 'N', summary: 'another score at which requests are refused' },
    group: {
      type: 'string',
      multiple: true,
      placeholder: 'GROUP=MODE',
      summary: 'the mode of a managed group: off, log, challenge, block or default (repeatable)',
    },
    version: { type: 'string', placeholder: 'VERSION', summary: 'the version that requests are compared with' },
  },
  dataSchema: gatewayPositiveApi.preview.response,
  async run(invocation) {
    const { args, options, connection } = invocation
    const change = await previewedChange(args.file, options, invocation)
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment }
    const found = await call(gatewayPositiveApi.preview, { params, query, body: { change } })
    const lines = found.changes.map(({ sentence, risk }) => `${sentence}${risk === null ? '' : ` ${risk}`}\n`).join('')
    const changes = lines === '' ? 'Nothing changes.\n' : lines
    const approval = found.approvalRequired ? 'It needs the approval of another person.\n' : ''
    return { data: found, text: changes + approval + previewText(found) + narrowingText(found.narrowing) }
  },
})
