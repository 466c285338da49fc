/** A number of bytes for people, in powers of ten: "4.1 MB". */
export const bytesWords = (bytes: number): string => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** step).toLocaleString(undefined, { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step] ?? ''}`
}
