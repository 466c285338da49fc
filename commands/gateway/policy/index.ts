import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { groupModes, tierIds } from '../../../src/gateway-policy/door.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import {
  approvalText,
  controlsOf,
  countText,
  environmentArgument,
  exceptionTable,
  groupTable,
  lackText,
  rateOf,
  reasonOption,
  ruleTable,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/command-parts.ts'
import { renderFacts, shortTime } from '../../../cli/table.ts'

function versionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new SvcError('usage', { reason: `A version is a number, not "${text}"` })
  return Number(text)
}

export default group({
  summary: 'Show and change security policies',
  commands: {
    restore: derive(gatewayApi.restorePolicyVersion, {
      summary: 'Restore an older version of a policy',
      examples: ['svc gateway policy restore production 3 --dry-run'],
      arguments: [environmentArgument, { name: 'version', summary: 'number of the version', read: versionNumber }],
      options: writeOptions,
      text: writtenText,
    }),
    show: command({
      summary: 'Show the security policy of an environment: presets, groups, rules, exceptions, and its gateways',
      examples: ['svc gateway policy show production'],
      arguments: [environmentArgument],
      options: {},
      dataSchema: gatewayApi.get.response,
      async run({ args, connection }) {
        const { call, query } = await securityCall(connection)
        const it = await call(gatewayApi.get, { params: { environment_id: args.environment }, query })
        const { tier, bot, rate, challenge, levels } = it.presets
        const confirmed = it.enforces.filter(({ state }) => state === 'enforced').length
        const facts = renderFacts([
          ['version', String(it.policyVersion)],
          ['digest', it.digest],
          [
            'tier',
            `${tier}: blocks at level ${levels.blocking}, reports at ${levels.detection}, threshold ${levels.threshold}`,
          ],
          ['bots', bot],
          ['rate limit', rate === null ? 'none' : `${rate.limit} in ${rate.windowSeconds} s by ${rate.key ?? 'ip'}`],
          ['challenge', challenge === null ? null : challenge.kind],
          ['enforced', `${confirmed} of ${it.enforces.length} settings are confirmed by a gateway`],
        ])
        const lacking = lackText(it.enforces)
        const waiting = it.pendingApprovals.map(approvalText).join('')
        const text =
          `${facts}${lacking}\n${groupTable(it.managedGroups)}\n${ruleTable(it.rules)}\n${exceptionTable(it.exceptions)}` +
          (waiting === '' ? '' : `\nWaiting for approval:\n${waiting}`) +
          (it.releases.staged === null
            ? ''
            : `\nA release that a newer svc compiled waits: svc gateway release list ${args.environment}\n`)
        return { data: it, text }
      },
    }),
    versions: command({
      summary: 'List the versions of a policy, newest first, or compare two of them',
      examples: ['svc gateway policy versions production', 'svc gateway policy versions production --from 3 --to 5'],
      arguments: [environmentArgument],
      options: {
        from: { type: 'integer', placeholder: 'N', summary: 'with --to: show what differs between the two versions' },
        to: { type: 'integer', placeholder: 'N', summary: 'the version to compare with' },
        limit: { type: 'integer', placeholder: 'N', default: 50, summary: 'maximum number of versions, up to 200' },
      },
      dataSchema: gatewayApi.policyVersions.response,
      async run({ args, options, connection }) {
        const { from, to, limit } = options
        if ((from === undefined) !== (to === undefined))
          throw new SvcError('usage', { reason: 'Give --from and --to together' })
        const { call, query } = await securityCall(connection)
        const pair = from === undefined || to === undefined ? {} : { from, to }
        const found = await call(gatewayApi.policyVersions, {
          params: { environment_id: args.environment },
          query: { ...query, limit, ...pair },
        })
        const { comparison, versions, total } = found
        if (comparison !== null) {
          const lines = comparison.changes.map(({ sentence }) => `${sentence}\n`).join('')
          return { data: found, text: lines === '' ? 'Both do the same.\n' : lines }
        }
        const text = versions
          .map((it) => {
            const from = it.restoredFrom === null ? '' : `, version ${it.restoredFrom} again`
            return `${it.version}  ${shortTime(it.createdAt)}  ${it.createdByName}${from}\n${it.changes.map((line) => `  ${line}\n`).join('')}`
          })
          .join('')
        return { data: found, text: text + countText(versions.length, total, 'version') }
      },
    }),
    update: command({
      summary: 'Set the tier, bot protection and rate limit of a security policy',
      description: 'What is not given keeps its value. The tier "off" needs a reason.',
      examples: [
        'svc gateway policy update production --tier strict --dry-run',
        'svc gateway policy update production --rate 100/60 --reason "Agreed with all teams"',
      ],
      arguments: [environmentArgument],
      options: {
        tier: { type: 'string', placeholder: 'TIER', choices: tierIds, summary: 'how strict the managed groups are' },
        paranoia: { type: 'integer', placeholder: '1-4', summary: 'blocking level, if not that of the tier' },
        threshold: { type: 'integer', placeholder: 'N', summary: 'another score at which requests are refused' },
        bot: { type: 'string', placeholder: 'MODE', choices: groupModes, summary: 'what happens to bots' },
        rate: { type: 'string', placeholder: 'N/SECONDS', summary: 'requests in seconds by address, or "none"' },
        reason: reasonOption,
        ...writeOptions,
      },
      dataSchema: gatewayApi.setPresets.response,
      async run({ args, options, connection }) {
        const { tier, paranoia, threshold, bot, rate, reason } = options
        const given = {
          ...(tier === undefined ? {} : { tier }),
          ...(paranoia === undefined ? {} : { paranoia }),
          ...(threshold === undefined ? {} : { threshold }),
          ...(bot === undefined ? {} : { bot }),
          ...(rate === undefined ? {} : { rate: rateOf(rate) }),
        }
        if (Object.keys(given).length === 0)
          throw new SvcError('usage', {
            reason: 'Give at least one of --tier, --paranoia, --threshold, --bot and --rate',
          })
        const { call, query } = await securityCall(connection)
        const body = { ...given, ...(reason === undefined ? {} : { reason }), ...controlsOf(options) }
        const written = await call(gatewayApi.setPresets, { params: { environment_id: args.environment }, query, body })
        return { data: written, text: writtenText(written) }
      },
    }),
  },
})
