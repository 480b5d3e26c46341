// The window's library is empty until its panels land.
