import { MigrationPlan, migrationPlansApi } from '../../src/api/migration-plans.ts'
import { isObject } from '../../src/document/json.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { readValue } from '../../cli/consumer/shared.ts'
import { pairArguments } from '../../cli/migration/shared.ts'
import { plural } from '../../src/plural.ts'

export default command({
  summary: 'Set the migration rules of a schema between two versions',
  description:
    'FILE is JSON or YAML: a map of rules by "migration-edge-prop-<source_property>". It replaces the existing rules; an empty map removes them.',
  examples: ['svc migration set shop 1.0.0 2.0.0 Order rules.yaml'],
  arguments: [
    ...pairArguments,
    { name: 'class', required: true, summary: 'name of a schema' },
    { name: 'file', required: true, summary: 'the rules; - for standard input' },
  ],
  options: {},
  dataSchema: MigrationPlan,
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
})
