import { versionsApi } from '../../src/api/versions.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command } from '../../cli/declare.ts'
import { versionArguments } from '../../cli/version/facts.ts'

export default command({
  summary: 'Delete a draft; published versions cannot be deleted',
  description: 'You can restore it for 30 days with "svc bin restore".',
  examples: ['svc version delete petstore 1.3.0-rc.1'],
  arguments: versionArguments,
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    const { label, project_slug: slug } = await call(versionsApi.get, { params })
    await call(versionsApi.remove, { params })
    return { data: null, text: `Deleted ${args.project}@${args.version}\n${restoreHint(`${slug}@${label}`)}` }
  },
})
