import { versionsApi, visibilities, type Gate } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { gateTable, versionArguments } from '../../cli/version/facts.ts'

export default command({
  summary: 'Publish a draft if its gates pass; published content never changes',
  examples: ['svc version publish petstore 1.2.0 --visibility public', 'svc version publish petstore 1.2.0 --dry-run'],
  arguments: versionArguments,
  options: {
    visibility: {
      type: 'string',
      placeholder: 'WHO',
      choices: visibilities,
      summary: 'public: everyone; private: the organization; as the draft has it unless given, at first private',
    },
    force: { type: 'boolean', summary: 'skip the gates that may be skipped; needs --reason' },
    reason: { type: 'string', placeholder: 'TEXT', summary: 'reason for --force, recorded in the audit trail' },
    'expected-digest': {
      type: 'string',
      placeholder: 'SHA256',
      summary: 'publish only if the document has this digest',
    },
    'dry-run': { type: 'boolean', summary: 'evaluate the gates and publish nothing' },
  },
  async run({ args, options, connection, io }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    if (options['dry-run']) {
      const readiness = await call(versionsApi.readiness, { params })
      return { data: readiness, text: () => gateTable(readiness.gates), exitCode: readiness.ready ? 0 : 3 }
    }
    try {
      const body = {
        ...(options.visibility ? { visibility: options.visibility } : {}),
        ...(options.force ? { force: true } : {}),
        ...(options.reason ? { force_reason: options.reason } : {}),
        ...(options['expected-digest'] ? { expected_digest: options['expected-digest'] } : {}),
      }
      const { version, gates } = await call(versionsApi.publish, { params, body })
      const text = () =>
        `${gateTable(gates)}\nPublished ${version.project_slug}@${version.label} (${version.visibility})\n`
      return { data: { version, gates }, text }
    } catch (error) {
      if (error instanceof SvcError && error.code === 'publish-gates-failed')
        io.log.log(gateTable((error.detail as { gates: readonly Gate[] }).gates))
      if (error instanceof SvcError && error.code === 'version-transition' && options.visibility !== undefined)
        io.log.warn(
          `Run "svc version visibility ${args.project} ${args.version} ${options.visibility}" to change who may read it.`,
        )
      throw error
    }
  },
})
