import { migrationPlansApi } from '../../src/api/migration-plans.ts'
import { command } from '../../cli/declare.ts'
import { pairArguments, pairOf } from '../../cli/migration/shared.ts'
import { renderTable } from '../../cli/table.ts'
import { plural } from '../../src/plural.ts'

export default command({
  summary: 'Propose migration rules from the changes between two versions',
  description:
    'Proposals are guesses from names and types. --accept adds the proposals of one schema that have no rule yet; existing rules are kept.',
  examples: ['svc migration propose shop 1.0.0 2.0.0', 'svc migration propose shop 1.0.0 2.0.0 Order --accept'],
  arguments: [...pairArguments, { name: 'class', summary: 'name of a schema (default: all)' }],
  options: {
    accept: { type: 'boolean', summary: 'add the proposals to the rules' },
    'min-confidence': {
      type: 'number',
      placeholder: 'N',
      default: 0,
      min: 0,
      max: 1,
      summary: 'minimum confidence of a proposal',
    },
  },
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    const pair = pairOf(args)
    const query = args.class === undefined ? pair : { ...pair, className: args.class }
    const { proposals } = await call(migrationPlansApi.proposals, { params, query })
    const wanted = Object.entries(proposals).map(
      ([name, all]) => [name, all.filter((it) => it.confidence >= options['min-confidence'])] as const,
    )
    let accepted = 0
    for (const [className, all] of options.accept ? wanted : []) {
      const fresh = all.filter((it) => !it.accepted)
      if (fresh.length === 0) continue
      const { rules } = await call(migrationPlansApi.get, { params, query: { ...pair, className } })
      await call(migrationPlansApi.put, {
        params,
        body: {
          project_id: args.project,
          from_version_id: args.from,
          to_version_id: args.to,
          class_name: className,
          rules: { ...Object.fromEntries(fresh.map((it) => [it.key, { ...it.rule }])), ...rules },
        },
      })
      accepted += fresh.length
    }
    const rows = wanted.flatMap(([name, all]) =>
      all.map((it) => [
        name,
        it.rule.kind,
        it.rule.source_property,
        it.rule.target_properties.join(', '),
        it.confidence.toFixed(2),
        it.accepted ? `accepted. ${it.reason}` : it.reason,
      ]),
    )
    return {
      data: { proposals: Object.fromEntries(wanted), accepted },
      text: () =>
        (rows.length === 0
          ? 'Nothing to propose: the classes of both versions have the same properties.\n'
          : renderTable(['CLASS', 'KIND', 'FROM', 'TO', 'SURE', ''], rows)) +
        (options.accept ? `\nAccepted ${plural(accepted, 'proposal')}\n` : ''),
    }
  },
})
