import { join } from 'node:path'

const isPack = (file: Blob): boolean => /^web\b.*\.pack$/.test((file as File).name)

const build = async (root: string): Promise<string> => {
  const child = Bun.spawn([process.execPath, join(root, 'web/build.ts'), '--if-stale'], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [said, status] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (status !== 0) throw new Error(`The web files could not be built:\n${said}`)
  return join(root, 'dist/web/web.pack')
}

/**
 * The pack of web files: the one embedded in the executable, or, running from source, the one in `dist/web`, built
 * first where it is missing or older than its sources. Held in memory then, so that a rebuild under a running server
 * cannot move the bytes away.
 */
export const openPack = async (): Promise<Blob> => {
  const embedded = Bun.embeddedFiles.find(isPack)
  if (embedded) return embedded
  const path = await build(join(import.meta.dir, '../..'))
  return new Blob([await Bun.file(path).bytes()])
}
