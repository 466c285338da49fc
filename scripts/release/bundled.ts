/** Which modules are in the executables. */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { output } from './run.ts'

/**
 * The paths of the modules of the program and of the application.
 * @param scratch a folder for what is bundled on the way
 */
export async function bundledModules(root: string, scratch: string): Promise<readonly string[]> {
  const [modules, metafile] = [join(scratch, 'modules'), join(scratch, 'modules.json')]
  const how = ['--target=bun', '--splitting', `--outdir=${modules}`, `--metafile=${metafile}`]
  await output([process.execPath, 'build', 'cli/main.ts', ...how], { cwd: root })
  await rm(modules, { recursive: true })
  const program = JSON.parse(await readFile(metafile, 'utf8')) as { inputs: Record<string, unknown> }
  await rm(metafile)
  const listed = join(root, 'dist', 'web', 'inputs.json')
  if (!existsSync(listed)) await output([process.execPath, 'web/build.ts', '--release'], { cwd: root })
  const application = JSON.parse(await readFile(listed, 'utf8')) as string[]
  return [...Object.keys(program.inputs), ...application]
}
