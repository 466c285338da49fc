import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { groupModes } from '../../../src/gateway-policy/door.ts'
import { suggest } from '../../../src/kernel/suggest.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import {
  controlsOf,
  environmentArgument,
  groupTable,
  reasonOption,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/command-parts.ts'

const words = [...groupModes, 'default'] as const

export default group({
  summary: 'List and set managed groups of rules',
  commands: {
    list: derive(gatewayApi.managedGroups, {
      examples: ['svc gateway group list production'],
      arguments: [environmentArgument],
      text: ({ groups }) => groupTable(groups),
    }),
    update: command({
      summary: 'Set the mode of a managed group, or return it to the catalogue default',
      description: 'The modes off and log need a reason.',
      examples: [
        'svc gateway group update production php off --reason "No PHP here"',
        'svc gateway group update production php default',
      ],
      arguments: [
        environmentArgument,
        { name: 'group', required: true, summary: 'id of the group, as "sqli"' },
        { name: 'mode', required: true, summary: 'off, log, challenge, block or default' },
      ],
      options: { reason: reasonOption, ...writeOptions },
      dataSchema: gatewayApi.setManagedGroup.response,
      async run({ args, options, connection }) {
        const word = words.find((it) => it === args.mode)
        if (word === undefined) {
          const near = suggest(args.mode, words)
          const also = near === null ? '' : `; did you mean ${near}?`
          throw new SvcError('usage', { reason: `The mode is one of ${words.join(', ')}, not "${args.mode}"${also}` })
        }
        const { reason } = options
        const { call, query } = await securityCall(connection)
        const written = await call(gatewayApi.setManagedGroup, {
          params: { environment_id: args.environment, group_id: args.group },
          query,
          body: {
            mode: word === 'default' ? null : word,
            ...(reason === undefined ? {} : { reason }),
            ...controlsOf(options),
          },
        })
        return { data: written, text: writtenText(written) }
      },
    }),
  },
})
