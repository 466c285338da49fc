import { versionsApi, VersionRecord } from '../../src/api/versions.ts'
import { command } from '../../cli/declare.ts'
import { versionArguments, versionFacts } from '../../cli/version/facts.ts'

export default command({
  summary: 'Show a version: state, grade, source and URLs',
  examples: ['svc version show petstore 1.2.0', 'svc version show petstore latest --json'],
  arguments: versionArguments,
  options: {},
  dataSchema: VersionRecord,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const version = await call(versionsApi.get, {
      params: { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version },
    })
    return { data: version, text: () => versionFacts(version) }
  },
})
