import { resolve } from 'node:path'
import { ReleaseDetail, releasesApi } from '../../../src/api/gateway-releases.ts'
import { sha256Of } from '../../../src/gateway/release/digest.ts'
import { plural } from '../../../src/plural.ts'
import { SvcError } from '../../../src/errors.ts'
import { command } from '../../../cli/declare.ts'
import { engineOption, releaseArgument, writeBelow } from '../../../cli/gateway/release.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Write the files of a release to a folder',
  description: 'Each file is compared with its digest before it is written.',
  examples: [
    'svc gateway release download production 7 --out gateway',
    'svc gateway release download production 7 --engine modsecurity --out nginx/svc',
  ],
  arguments: [environmentArgument, releaseArgument],
  options: {
    out: { type: 'string', placeholder: 'DIR', required: true, summary: 'the folder; it is made where it is missing' },
    engine: engineOption,
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
    const folder = resolve(cwd, options.out)
    for (const { path, sha256 } of files) {
      const file = await call(releasesApi.file, { params: { ...params, file_path: path }, query: { ...query, engine } })
      if (sha256Of(file.text) !== sha256)
        throw new SvcError('release-unusable', { number: found.number, reason: `${path} is not as it was made` })
      await writeBelow(folder, path, file.text)
    }
    const text = `Wrote ${plural(files.length, 'file')} of release ${found.number} for ${engine} to ${options.out}.\n`
    return { data: found, text }
  },
})
