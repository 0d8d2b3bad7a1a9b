"""What the memory model is told, one file for each task and language.

There are no examples in them: what stands in a prompt comes back as memory sooner or later. What was said is given as JSON, apart from the instructions,
and is called a record; it never stands in the system message.
"""
