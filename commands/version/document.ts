import { versionsApi } from '../../src/api/versions.ts'
import { command } from '../command.ts'
import { versionArguments } from '../version-facts.ts'

export default command({
  summary: 'Print the document of a version as its author wrote it',
  examples: ['svc version document petstore latest > openapi.yaml'],
  arguments: versionArguments,
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const document = await call(versionsApi.document, {
      params: { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version },
    })
    const text =
      typeof document === 'string' || document instanceof Uint8Array
        ? document
        : `${JSON.stringify(document, null, 2)}\n`
    const data = text instanceof Uint8Array ? new TextDecoder().decode(text) : document
    return { data, text }
  },
})
