import { versionsApi, VersionRecord } from '../../src/api/versions.ts'
import { command } from '../../cli/declare.ts'
import { versionArguments, versionFacts } from '../../cli/version/facts.ts'

export default command({
  summary: 'Retire a published or deprecated version',
  examples: ['svc version retire petstore 1.2.0'],
  arguments: versionArguments,
  options: {},
  dataSchema: VersionRecord,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    const version = await call(versionsApi.retire, { params })
    return { data: version, text: () => versionFacts(version) }
  },
})
