import { versionsApi, VersionRecord } from '../../src/api/versions.ts'
import { command } from '../command.ts'
import { renderFacts, shortTime } from '../table.ts'

export default command({
  summary: 'Show a version: state, grade, origin, addresses',
  examples: ['svc version show petstore 1.2.0', 'svc version show petstore latest --json'],
  arguments: [
    { name: 'project', required: true, summary: 'id or slug' },
    { name: 'version', required: true, summary: 'id, label or slug, or "latest"' },
  ],
  options: {},
  dataSchema: VersionRecord,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const version = await call(versionsApi.get, {
      params: { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version },
    })
    return {
      data: version,
      text: () =>
        renderFacts([
          ['Version', `${version.project_slug}@${version.label}`],
          ['Title', version.title],
          ['Id', version.id],
          ['Status', `${version.status}, ${version.visibility}`],
          ['Format', `${version.format.kind} ${version.format.version}`],
          ['Grade', version.grade === null ? 'none' : `${version.grade} (${version.score} of 100)`],
          ['Operations', String(version.operations_count)],
          ['Classes', String(version.classes_count)],
          ['Digest', version.digest],
          ['Source', `${version.provenance.source}, ${version.size_bytes} bytes`],
          ['Created', shortTime(version.created_at)],
          ['Published', version.published_at === null ? null : shortTime(version.published_at)],
          ['Sunset', version.sunset_at === null ? null : shortTime(version.sunset_at)],
          ['Document', version.urls.document],
          ['Page', version.urls.page],
        ]),
    }
  },
})
