console.log('this file of the current folder was run')
