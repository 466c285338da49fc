import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './measure.ts'

/** One of the documents of the package: GitHub's API, or with what enterprises have beside it. */
type Name = 'api.github.com.json' | 'ghec.json'

/** The file of a document of several megabytes out of a version of an npm package, kept in the cache. */
export function packedDocument(version: string, name: Name = 'api.github.com.json'): string {
  const folder = join(cacheFolder, 'pack', version)
  const file = join(folder, 'package', 'generated', name)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    const packed = Bun.spawnSync(['npm', 'pack', `@octokit/openapi@${version}`, '--silent'], { cwd: folder })
    const archive = packed.stdout.toString().trim()
    if (packed.exitCode !== 0) throw new Error(`npm pack failed: ${packed.stderr.toString()}`)
    Bun.spawnSync(['tar', 'xzf', archive, `package/generated/${name}`], { cwd: folder })
  }
  return file
}

/** The document of SVC_BENCH_DOCUMENT, else one of 11.8 MB, or with `ghec.json` of 12.8 MB. */
export async function largeDocument(name: Name = 'api.github.com.json'): Promise<string> {
  return Bun.file(process.env.SVC_BENCH_DOCUMENT || packedDocument('22.0.0', name)).text()
}

const yamlCharacters = 4_200_000

/** A YAML file of about 4.2 MB: the one that SVC_BENCH_YAML names, else as much of GitHub's document as fits. */
export async function largeYaml(): Promise<string> {
  if (process.env.SVC_BENCH_YAML) return process.env.SVC_BENCH_YAML
  const file = join(cacheFolder, 'large.yaml')
  if (existsSync(file)) return file
  const whole = (await Bun.file(packedDocument('23.0.2')).json()) as { paths: Record<string, unknown> }
  const names = Object.keys(whole.paths)
  const first = (count: number): string =>
    Bun.YAML.stringify(
      { ...whole, paths: Object.fromEntries(names.slice(0, count).map((it) => [it, whole.paths[it]])) },
      null,
      2,
    )
  let [low, high] = [1, names.length]
  while (high - low > 8) {
    const middle = (low + high) >> 1
    if (first(middle).length > yamlCharacters) high = middle
    else low = middle
  }
  writeFileSync(file, first(low))
  return file
}
