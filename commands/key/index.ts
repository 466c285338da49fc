import { SvcError } from '../../src/errors.ts'
import { command, group } from '../../cli/declare.ts'
import { isUnseen, keyKinds, keysOf, type KeyOfAnyKind } from '../../cli/key/kinds.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const

export default group({
  summary: 'Manage keys: of API clients, of agents, and of the MCP endpoint',
  commands: {
    list: command({
      summary: 'List the keys of the organization, of all kinds',
      description:
        'A kind that you may not see is left out with a warning. API keys are listed on the machine that has the data; with --base-url, the application lists them.',
      examples: ['svc key list', 'svc key list --kind agent --json'],
      arguments: [],
      options: {
        kind: { type: 'string', placeholder: 'KIND', choices: keyKinds, summary: 'only keys of this kind' },
      },
      dataSchema: {
        type: 'array',
        items: {
          type: 'object',
          required: ['kind', 'id', 'label', 'prefix', 'status', 'created_at', 'expires_at', 'last_used_at'],
          properties: {
            kind: { enum: keyKinds },
            id: text,
            label: text,
            prefix: text,
            status: text,
            created_at: text,
            expires_at: textOrNull,
            last_used_at: textOrNull,
          },
        },
      },
      async run(invocation) {
        const { options, io } = invocation
        const keys: KeyOfAnyKind[] = []
        const unseen: SvcError[] = []
        const kinds = keyKinds.filter((it) => options.kind === undefined || it === options.kind)
        for (const kind of kinds)
          try {
            keys.push(...(await keysOf(kind, invocation)))
          } catch (error) {
            if (!isUnseen(error)) throw error
            unseen.push(error)
            if (kinds.length > 1) io.log.warn(`Keys of the kind "${kind}" are not listed: ${error.message}`)
          }
        const [first] = unseen
        if (first !== undefined && unseen.length === kinds.length) throw first
        return {
          data: keys,
          text: () =>
            keys.length === 0
              ? 'No keys.\n'
              : renderTable(
                  ['KIND', 'PREFIX', 'STATUS', 'EXPIRES', 'LAST USED', 'ID', 'LABEL'],
                  keys.map((key) => [
                    key.kind,
                    key.prefix,
                    key.status,
                    key.expires_at === null ? 'never' : shortTime(key.expires_at),
                    key.last_used_at === null ? '-' : shortTime(key.last_used_at),
                    key.id,
                    key.label,
                  ]),
                ),
        }
      },
    }),
  },
})
