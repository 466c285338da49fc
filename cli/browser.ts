/** Opens an address in the browser of the person. */

type Env = Readonly<Record<string, string | undefined>>

const opener = (url: string, env: Env): readonly string[] => {
  if (env.BROWSER !== undefined && env.BROWSER !== '') return [env.BROWSER, url]
  if (process.platform === 'darwin') return ['open', url]
  // "start" takes its first quoted argument for a title.
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '', url.replaceAll('&', '^&')]
  return ['xdg-open', url]
}

/** Whether a browser was started: `$BROWSER`, else what the platform has for it. */
export async function openBrowser(url: string, env: Env): Promise<boolean> {
  try {
    const child = Bun.spawn([...opener(url, env)], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    // A browser in the foreground stays; an opener that fails does so at once.
    const code = await Promise.race([child.exited, Bun.sleep(2000).then(() => 0)])
    child.unref()
    return code === 0
  } catch {
    return false
  }
}
