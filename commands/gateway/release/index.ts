import { resolve } from 'node:path'
import { ReleaseDetail, releasesApi } from '../../../src/api/gateway-releases.ts'
import { SvcError } from '../../../src/errors.ts'
import { placedIn } from '../../../src/gateway/release/place.ts'
import { sha256Of } from '../../../src/gateway/release/digest.ts'
import { plural } from '../../../src/kernel/plural.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import {
  comparisonText,
  engineOption,
  releaseArgument,
  releaseTable,
  releaseText,
  writeBelow,
} from '../../../cli/gateway/release.ts'
import {
  countText,
  environmentArgument,
  reasonOption,
  securityCall,
  approvalOptions,
} from '../../../cli/gateway/command-parts.ts'

export default group({
  summary: 'Show, compare, take, download and roll back gateway releases',
  commands: {
    list: derive(releasesApi.list, {
      summary: 'List the releases of an environment, newest first',
      examples: ['svc gateway release list production'],
      arguments: [environmentArgument],
      options: { limit: { type: 'integer', default: 20, summary: 'maximum number of releases, up to 200' } },
      text({ releases, failure, total }) {
        const reason = failure?.reason ?? ''
        const without =
          failure === null || failure.isReleased
            ? ''
            : `There is no release of version ${failure.policyVersion} of the policy: `
        const failed = failure === null ? '' : `${without}${reason}\n`
        if (releases.length > 0) return failed + releaseTable(releases) + countText(releases.length, total, 'release')
        return `${failed}No releases. The first one is made by a server when a gateway is added: svc gateway enforcer create\n`
      },
    }),
    show: derive(releasesApi.get, {
      summary: 'Show a release: why it was made, its files, and what is not enforced',
      examples: ['svc gateway release show production 7'],
      arguments: [environmentArgument, releaseArgument],
      text: releaseText,
    }),
    diff: derive(releasesApi.list, {
      summary: 'Compare two releases: files, lines, and settings that are enforced differently',
      examples: ['svc gateway release diff production 6 7'],
      arguments: [
        environmentArgument,
        { name: 'from', required: true, summary: 'number or id of the older release' },
        { name: 'to', required: true, summary: 'number or id of the newer release' },
      ],
      sends: { limit: 1 },
      text: ({ comparison }) => (comparison === null ? '' : comparisonText(comparison)),
    }),
    take: derive(releasesApi.take, {
      summary: 'Give gateways the release that a newer svc compiled',
      description:
        'After an update of the service, releases that it writes otherwise wait here. "svc gateway release diff" shows what such a release changes.',
      examples: ['svc gateway release diff production 7 8', 'svc gateway release take production 8'],
      arguments: [environmentArgument, releaseArgument],
      options: { reason: reasonOption },
      text: ({ message }) => `${message}\n`,
    }),
    rollback: derive(releasesApi.rollback, {
      summary: 'Roll gateways back to an older release, until the policy changes',
      description:
        'The policy stays as it is: change it, too, or restore its older version. Where the older release protects less and approvals are required, another person approves it first.',
      examples: ['svc gateway release rollback production 6 --reason "Orders were refused"'],
      arguments: [environmentArgument, releaseArgument],
      options: { reason: reasonOption, ...approvalOptions },
      text: ({ message }) => `${message}\n`,
    }),
    download: command({
      summary: 'Write the files of a release to a folder',
      description: 'Each file is compared with its digest before it is written.',
      examples: [
        'svc gateway release download production 7 --output gateway',
        'svc gateway release download production 7 --engine modsecurity --output nginx/svc',
      ],
      arguments: [environmentArgument, releaseArgument],
      options: {
        output: {
          type: 'string',
          short: 'o',
          former: 'out',
          placeholder: 'DIR',
          required: true,
          summary: 'the folder; it is made where it is missing',
        },
        engine: engineOption,
        'installed-at': {
          type: 'string',
          placeholder: 'DIR',
          summary: 'absolute path of the files on the gateway (default: the folder of --output)',
        },
      },
      dataSchema: ReleaseDetail,
      async run({ args, options, connection, cwd }) {
        const { call, query } = await securityCall(connection)
        const params = { environment_id: args.environment, release_id: args.release }
        const found = await call(releasesApi.get, { params, query })
        const engine = options.engine ?? found.targets[0]?.engine
        const files = found.files.filter((it) => it.engine === engine)
        if (engine === undefined || files.length === 0)
          throw new SvcError('release-not-found', { what: `A part of the release for ${engine ?? 'any engine'}` })
        const folder = resolve(cwd, options.output)
        const place = options['installed-at'] ?? folder
        for (const { path, sha256 } of files) {
          const file = await call(releasesApi.file, {
            params: { ...params, file_path: path },
            query: { ...query, engine },
          })
          if (sha256Of(file.text) !== sha256)
            throw new SvcError('release-unusable', { number: found.number, reason: `${path} is not as it was made` })
          await writeBelow(folder, path, placedIn({ path, text: file.text }, place).text)
        }
        const text = `Wrote ${plural(files.length, 'file')} of release ${found.number} for ${engine} to ${options.output}.\n`
        return { data: found, text }
      },
    }),
  },
})
