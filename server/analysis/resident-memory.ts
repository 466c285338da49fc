import { readFile } from 'node:fs/promises'

/** Resident megabytes of a process; null where this system does not say. */
export async function residentMb(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return null
    const kilobytes = await new Response(Bun.spawn(['ps', '-o', 'rss=', '-p', String(pid)]).stdout).text()
    return Number(kilobytes.trim()) / 1024 || null
  }
}
