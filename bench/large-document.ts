import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './measure.ts'

/** One of the documents of the package: 11.8 MB, or with what enterprises have beside it 12.8 MB. */
type Name = 'api.github.com.json' | 'ghec.json'

/** The document of SVC_BENCH_DOCUMENT, else one of several megabytes out of an npm package, kept in the cache. */
export async function largeDocument(name: Name = 'api.github.com.json'): Promise<string> {
  const named = process.env.SVC_BENCH_DOCUMENT
  if (named) return Bun.file(named).text()
  const folder = join(cacheFolder, 'large')
  const file = join(folder, 'package', 'generated', name)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    const packed = Bun.spawnSync(['npm', 'pack', '@octokit/openapi@22.0.0', '--silent'], { cwd: folder })
    const archive = packed.stdout.toString().trim()
    if (packed.exitCode !== 0) throw new Error(`npm pack failed: ${packed.stderr.toString()}`)
    Bun.spawnSync(['tar', 'xzf', archive, `package/generated/${name}`], { cwd: folder })
  }
  return Bun.file(file).text()
}
