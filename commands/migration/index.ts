import { MigrationPlan, migrationPlansApi } from '../../src/api/migration-plans.ts'
import { SvcError } from '../../src/errors.ts'
import { isObject } from '../../src/kernel/json.ts'
import { plural } from '../../src/kernel/plural.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { readValue } from '../../cli/input/named-file.ts'
import { renderTable } from '../../cli/table.ts'

/** What the commands about migration rules share. */
const pairArguments = [
  { name: 'project', required: true, summary: 'id or slug', field: 'projectId' },
  { name: 'from', required: true, summary: 'the older version: id, label or slug', field: 'fromVersionId' },
  { name: 'to', required: true, summary: 'the newer version: id, label or slug', field: 'toVersionId' },
] as const

export default group({
  summary: 'Manage migration rules of schemas between two versions',
  commands: {
    counts: derive(migrationPlansApi.counts, {
      examples: ['svc migration counts shop 1.0.0 2.0.0'],
      arguments: pairArguments,
      text({ counts }) {
        const rows = Object.entries(counts).map(([name, count]) => [name, String(count)])
        return rows.length === 0 ? 'No rules.\n' : renderTable(['CLASS', 'RULES'], rows)
      },
    }),
    show: derive(migrationPlansApi.get, {
      summary: 'Show the migration rules of a schema between two versions',
      examples: ['svc migration show shop 1.0.0 2.0.0 Order'],
      arguments: [...pairArguments, { name: 'class', summary: 'name of a schema', field: 'className' }],
      text({ rules }) {
        const rows = Object.entries(rules).map(([key, rule]) => [key, JSON.stringify(rule)])
        return rows.length === 0
          ? 'No rules. Propose some: svc migration propose PROJECT FROM TO CLASS\n'
          : renderTable(['RULE', 'WHAT BECOMES OF IT'], rows)
      },
    }),
    update: command({
      summary: 'Set the migration rules of a schema between two versions',
      description:
        'FILE is JSON or YAML: a map of rules by "migration-edge-prop-<source_property>". It replaces the existing rules; an empty map removes them.',
      examples: ['svc migration update shop 1.0.0 2.0.0 Order rules.yaml'],
      arguments: [
        ...pairArguments,
        { name: 'class', required: true, summary: 'name of a schema' },
        { name: 'file', required: true, summary: 'the rules; - for standard input' },
      ],
      options: {},
      dataSchema: MigrationPlan,
      isBounded: true,
      async run(invocation) {
        const { args, connection } = invocation
        const value = await readValue(args.file, invocation)
        if (!isObject(value)) throw new SvcError('usage', { reason: `${args.file} must be a map of rules.` })
        const { call, tenant } = await connection()
        const plan = await call(migrationPlansApi.put, {
          params: { tenant_slug: await tenant() },
          body: {
            project_id: args.project,
            from_version_id: args.from,
            to_version_id: args.to,
            class_name: args.class,
            // The service checks every rule and names the one that does not fit.
            rules: value as MigrationPlan['rules'],
          },
        })
        const count = Object.keys(plan.rules).length
        return { data: plan, text: `${plan.class_name}: ${plural(count, 'rule')}\n` }
      },
    }),
    propose: command({
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
        const pair = { projectId: args.project, fromVersionId: args.from, toVersionId: args.to }
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
          all.map((entry) => [
            name,
            entry.rule.kind,
            entry.rule.source_property,
            entry.rule.target_properties.join(', '),
            entry.confidence.toFixed(2),
            entry.accepted ? `accepted. ${entry.reason}` : entry.reason,
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
    }),
  },
})
