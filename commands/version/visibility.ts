import { versionsApi, VersionRecord, visibilities } from '../../src/api/versions.ts'
import { command } from '../../cli/declare.ts'
import { versionArguments } from '../../cli/version/facts.ts'

const readers = { public: 'everyone', private: 'members of the organization' } as const

export default command({
  summary: 'Change who may read a version, at once and after it was published too',
  description:
    'The documents and the page of a public version need no credentials. Of a version that is not a draft this needs the permission versions:publish.',
  examples: ['svc version visibility petstore 1.2.0 public'],
  arguments: [
    ...versionArguments,
    { name: 'who', required: true, summary: 'public: everyone; private: the organization', choices: visibilities },
  ],
  options: {},
  dataSchema: VersionRecord,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    const version = await call(versionsApi.update, {
      params,
      body: { visibility: args.who === 'public' ? 'public' : 'private' },
    })
    const text = () =>
      `${version.project_slug}@${version.label} (${version.status}) is ${version.visibility}: ${readers[version.visibility]} may read it\n`
    return { data: version, text }
  },
})
