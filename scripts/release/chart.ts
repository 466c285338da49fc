/** Packs the Helm chart of a release. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { file, type Entry } from './entries.ts'
import { gzip } from './gzip.ts'
import { summary, type Identity } from './identity.ts'
import { tarOf } from './tar.ts'

const source = join(import.meta.dir, '../../deploy/helm/svc')

/** The files of the chart, below the folder "svc". */
export async function chartEntries(identity: Identity & { readonly image: string }): Promise<readonly Entry[]> {
  const { version, homepage, repository, maintainer, image } = identity
  const described = {
    apiVersion: 'v2',
    name: 'svc',
    description: summary,
    type: 'application',
    version,
    appVersion: version,
    home: homepage,
    sources: [repository],
    maintainers: [{ name: maintainer.name, email: maintainer.email }],
  }
  const entries = [file('svc/Chart.yaml', stringify(described))]
  for (const path of [...new Bun.Glob('**/*').scanSync({ cwd: source, dot: true })].toSorted()) {
    const text = await readFile(join(source, path), 'utf8')
    const written = path === 'values.yaml' ? text.replace('repository: IMAGE', `repository: ${image}`) : text
    entries.push(file(`svc/${path.replaceAll('\\', '/')}`, written))
  }
  return entries
}

/** The archive of the chart, as `helm install` and `helm push` take it: svc-VERSION.tgz. */
export const packChart = async (identity: Identity & { readonly image: string }, time: number): Promise<Uint8Array> =>
  gzip(tarOf(await chartEntries(identity), { time }))
