"""The exception of the package."""


class Error(ValueError):
    """What a caller got wrong: an option, the data, a model file.

    ``code`` is ``usage``, ``data``, ``model``, ``io``, ``memory``, ``not_converged`` or ``interrupted``. ``file``,
    ``line`` and ``column`` say where the fault was found; they are empty or zero where that is not known.
    """

    def __init__(self, message, code="usage", file="", line=0, column=""):
        super().__init__(message)
        self.code, self.file, self.line, self.column = code, file, line, column

    def __reduce__(self):
        return type(self), (*self.args, self.code, self.file, self.line, self.column)
